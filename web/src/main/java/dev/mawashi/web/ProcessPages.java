package dev.mawashi.web;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.inspect.ChildView;
import dev.mawashi.inspect.JvmView;
import dev.mawashi.inspect.LeaseReader;
import dev.mawashi.inspect.ProcessView;
import dev.mawashi.pages.JvmPage;
import dev.mawashi.pages.ProcessPage;
import dev.mawashi.pages.Shell;
import dev.mawashi.tables.Asking;
import dev.mawashi.tables.Question.Kind;
import dev.mawashi.tables.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What pages tell of processes: their records, and what they answer themselves.
///
/// Whoever asks a process waits for it, so that has desks of its own: however many wait there, the
/// other pages do not.
final class ProcessPages {
    /// For figures, which a process has at once. A page goes without those that come later.
    private static final Duration PATIENCE = Duration.ofMillis(800);

    /// For a stack or a dump, for which a process asks its children.
    private static final Duration LONG_PATIENCE = Duration.ofSeconds(4);

    private final Desks askers;

    ProcessPages(Desks askers) {
        this.askers = askers;
    }

    /// @return empty when no such process lives
    Optional<ProcessPage> process(Shell shell, String identity) {
        return askers.read(
                desk -> desk.processes().process(identity).map(found -> page(shell, desk, found)));
    }

    private static ProcessPage page(Shell shell, Desk desk, ProcessView process) {
        String identity = process.identity();
        Asking asking = new Asking(desk.connection());
        Reply jvm = asking.ask(identity, Kind.JVM, "", PATIENCE);
        Reply children =
                jvm instanceof Reply.Answered
                        ? asking.ask(identity, Kind.CHILDREN, "", PATIENCE)
                        : jvm;
        return new ProcessPage(
                shell,
                process,
                Optional.ofNullable(
                        new LeaseReader(desk.connection()).of(List.of(process)).get(identity)),
                desk.processes().work(identity),
                jvm(jvm),
                children instanceof Reply.Answered told ? ChildView.listOf(told.text()) : List.of(),
                jvm.problem());
    }

    private static Optional<JvmView> jvm(Reply reply) {
        return reply instanceof Reply.Answered told
                ? Optional.of(JvmView.of(told.text()))
                : Optional.empty();
    }

    JvmPage machines(Shell shell) {
        return askers.read(desk -> {
            List<String> ours =
                    desk.processes().processes().stream()
                            .filter(ProcessView::isMawashi)
                            .map(ProcessView::identity)
                            .toList();
            List<String> asked = ours.stream().limit(Asking.TOGETHER_MAX).toList();
            Map<String, Reply> replies =
                    new Asking(desk.connection()).askAll(asked, Kind.JVM, PATIENCE);
            List<JvmPage.Machine> machines = new ArrayList<>();
            replies.forEach((identity, reply) ->
                    machines.add(new JvmPage.Machine(identity, jvm(reply), reply.problem())));
            return new JvmPage(shell, machines, ours.size() - asked.size());
        });
    }

    /// Asks a process where its threads or one of its jobs are.
    ///
    /// @param about the job's slot; "" for all threads
    Reply where(String identity, Kind kind, String about) {
        return askers.read(
                desk -> new Asking(desk.connection()).ask(identity, kind, about, LONG_PATIENCE));
    }
}
