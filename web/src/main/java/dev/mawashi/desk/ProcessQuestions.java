package dev.mawashi.desk;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question.Kind;
import dev.mawashi.fleet.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Asks processes through Redis for what only they know.
///
/// Whoever asks a process waits for it, so that has desks of its own: however many wait there, the
/// other requests do not.
public final class ProcessQuestions {
    /// For figures, which a process has at once. Whoever asks goes without those that come later.
    private static final Duration PATIENCE = Duration.ofMillis(800);

    /// For a stack or a dump, for which a process asks its children.
    private static final Duration LONG_PATIENCE = Duration.ofSeconds(4);

    private final Desks askers;
    private final Profiles profiles;

    public ProcessQuestions(Desks askers) {
        this.askers = askers;
        profiles = new Profiles(askers);
    }

    /// For an act that waits for a process.
    public Desks desks() {
        return askers;
    }

    /// Those that are made of many answers.
    public Profiles profiles() {
        return profiles;
    }

    /// The reports of our processes about their Java virtual machines.
    ///
    /// @param replies by identity, of at most so many as are asked at once
    /// @param more how many other processes of ours there are
    public record Machines(Map<String, Reply> replies, int more) {}

    public Machines machines() {
        return askers.read(desk -> {
            List<String> ours =
                    desk.processes().processes().stream()
                            .filter(ProcessRecord::isMawashi)
                            .map(ProcessRecord::identity)
                            .toList();
            List<String> asked = ours.stream().limit(Asking.TOGETHER_MAX).toList();
            return new Machines(
                    new Asking(desk.connection()).askAll(asked, Kind.JVM, "", PATIENCE),
                    ours.size() - asked.size());
        });
    }

    /// @param about the slot of the job whose stack is wanted; "" for all other questions
    public Reply ask(String identity, Kind kind, String about) {
        Duration patience =
                switch (kind) {
                    case JVM, CHILDREN, RESTART, GENERATIONS -> PATIENCE;
                    case THREADS, STACK, STACKS, HEAP, RELOAD -> LONG_PATIENCE;
                };
        return askers.read(
                desk -> new Asking(desk.connection()).ask(identity, kind, about, patience));
    }
}
