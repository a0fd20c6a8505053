package dev.mawashi.profile;

import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.StackView;
import dev.mawashi.fleet.WorkView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Asks processes again and again where their running jobs are. One thread's.
///
/// Each question has a process look at a few of its jobs, which costs it about a millisecond; a
/// child under load answers up to ten times per second, since the job's thread must let it.
public final class Sampler {
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Asker asker;
    private final Profile profile = new Profile();
    private final Map<String, String> problems = new TreeMap<>();

    /// Puts a question to processes, as `Asking.askAll` does.
    @FunctionalInterface
    public interface Asker {
        Map<String, Reply> ask(
                List<String> identities, Question.Kind kind, String about, Duration patience);
    }

    public Sampler(Asker asker) {
        this.asker = asker;
    }

    /// Samples a job, all jobs of a process, or those of a class; of what is called so in this
    /// order.
    ///
    /// @param what JID of a running job, identity of a process, class of jobs; "" for all jobs
    /// @param live processes; of more than `Asking.TOGETHER_MAX` of ours the first are asked
    /// @param work what they run
    public void sample(String what, List<ProcessRecord> live, List<WorkView> work, Duration time) {
        Optional<WorkView> job =
                work.stream()
                        .filter(one -> !what.isEmpty() && one.job().jid().equals(what))
                        .findFirst();
        if (job.isPresent()) {
            job(job.get().identity(), job.get().entry().slot(), time);
        } else if (live.stream().anyMatch(process -> process.identity().equals(what))) {
            jobs(List.of(what), "", time);
        } else {
            jobs(
                    live.stream()
                            .filter(ProcessRecord::isMawashi)
                            .map(ProcessRecord::identity)
                            .limit(Asking.TOGETHER_MAX)
                            .toList(),
                    what,
                    time);
        }
    }

    /// Until it ends or the time is up.
    private void job(String identity, String slot, Duration time) {
        if (!Asking.canBeAbout(slot)) {
            problems.put(identity, "nothing is called " + slot);
            return;
        }
        repeat(
                time,
                () -> {
                    Reply reply =
                            Objects.requireNonNull(
                                    asker.ask(
                                                    List.of(identity),
                                                    Question.Kind.STACK,
                                                    slot,
                                                    PATIENCE)
                                            .get(identity));
                    if (reply instanceof Reply.Answered told) {
                        profile.add(StackView.of(told.text()));
                        return true;
                    }
                    problems.put(identity, reply.problem());
                    return false;
                });
    }

    /// @param jobClass of the jobs; "" for all
    private void jobs(List<String> identities, String jobClass, Duration time) {
        String about = Asking.canBeAbout(jobClass) ? jobClass : "";
        Set<String> asked = new TreeSet<>(identities);
        repeat(
                time,
                () -> {
                    asker.ask(List.copyOf(asked), Question.Kind.STACKS, about, PATIENCE)
                            .forEach((identity, reply) -> take(identity, reply, jobClass));
                    // One that does not answer would hold up each look at the others.
                    asked.removeAll(problems.keySet());
                    return !asked.isEmpty();
                });
    }

    private void take(String identity, Reply reply, String jobClass) {
        if (reply instanceof Reply.Answered told) {
            StackView.listOf(told.text()).stream()
                    .filter(stack -> jobClass.isEmpty() || stack.jobClass().equals(jobClass))
                    .forEach(profile::add);
        } else {
            problems.put(identity, reply.problem());
        }
    }

    /// @param look gives false when another would be in vain
    private static void repeat(Duration time, BooleanSupplier look) {
        long end = System.nanoTime() + time.toNanos();
        long next = System.nanoTime();
        while (next < end && look.getAsBoolean()) {
            next = Math.max(System.nanoTime(), next + INTERVAL.toNanos());
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    public Profile profile() {
        return profile;
    }

    /// Why there is no sample, for people: that nothing ran, and the first reason that a process
    /// gave.
    public String nothing(String what) {
        String reason =
                problems.entrySet().stream()
                        .findFirst()
                        .map(one -> "; " + one.getKey() + ": " + one.getValue())
                        .orElse("");
        return "no job%s ran in a process of Mawashi meanwhile: see mawashi busy%s"
                .formatted(what.isEmpty() ? "" : " of " + what, reason);
    }
}
