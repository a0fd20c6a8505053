package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.fleet.Asking;
import dev.mawashi.fleet.ChildView;
import dev.mawashi.fleet.JvmView;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.fleet.Question.Kind;
import dev.mawashi.fleet.Reply;
import dev.mawashi.fleet.StackView;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real servers that are asked, while they run jobs, what they do.
final class AskedIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Stands in the jobs' arguments, and must stand in no answer.
    private static final String SECRET = "gate-of-secrets";

    @TempDir Path folder;

    /// Connections to a workplace's Redis.
    private static final class Desk implements AutoCloseable {
        private final RedisConnection connection;
        private final ProcessReader processes;
        private final Asking asking;

        Desk(Workplace place) {
            RedisAddress address = RedisAddress.parse(place.redisUrl());
            connection = new RedisConnection(address, "test", LONG);
            processes = new ProcessReader(connection);
            asking = new Asking(connection);
        }

        String answer(String identity, Kind kind, String about) {
            Reply reply = asking.ask(identity, kind, about, LONG);
            assertThat(reply.problem()).isEmpty();
            String text = ((Reply.Answered) reply).text();
            assertThat(text).doesNotContain(SECRET);
            return text;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private static List<WorkView> awaitBeat(Workplace place, Desk desk, int jobs) {
        place.await("a beat tells of them", () -> desk.processes.work().size() == jobs);
        return desk.processes.work();
    }

    private static Map<String, Long> pids(Workplace place) {
        return place.ledger().lines("start").stream()
                .collect(Collectors.toMap(Ledger.Line::subject, Ledger.Line::pid));
    }

    private static Child start(Workplace place, String runner) {
        List<String> flags = new ArrayList<>(List.of("--runner", runner, "-t", "1"));
        switch (runner) {
            case "mri" -> flags.addAll(List.of("--processes", "2", "-c", "1"));
            default -> flags.addAll(List.of("-c", "2"));
        }
        return place.run(Workplace.NO_GEMS, flags.toArray(String[]::new));
    }

    @EachOf({"mri", "jruby", "fork"})
    void aServerTellsWhereEachOfItsJobsIs(String runner) {
        try (Workplace place = new Workplace(folder);
                Desk desk = new Desk(place)) {
            Child server = start(place, runner);
            place.pushJobs(2, "held", "GateJob", "[\"" + SECRET + "\"]");
            place.await("both run", () -> place.ledger().count("start", "GateJob") == 2);
            List<WorkView> work = awaitBeat(place, desk, 2);

            work.forEach(one -> assertIsWhereItIs(place, desk, runner, one));
            String dump = desk.answer(work.getFirst().identity(), Kind.THREADS, "");
            assertThat(dump)
                    .contains("held0", "held1", "\"mawashi-lease-1\"", "mawashi-answer-1")
                    .containsPattern("ledger.rb:\\d+:in ['`].*pass");
            // Nothing of it has touched the jobs.
            place.open(SECRET);
            place.await("both end", () -> place.ledger().count("end", "GateJob") == 2);
            assertThat(place.ledger().byJid("start").values()).containsOnly(1L);
            // A job notes its end before it has left its slot.
            place.await(
                    "slot 1 is free",
                    () ->
                            desk.asking
                                    .ask(work.getFirst().identity(), Kind.STACK, "1", LONG)
                                    .problem()
                                    .startsWith("no job runs in slot 1"));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("defect");
            assertThat(desk.asking.ask(work.getFirst().identity(), Kind.JVM, "", LONG))
                    .isEqualTo(Reply.Unanswered.GONE);
        }
    }

    private static void assertIsWhereItIs(Workplace place, Desk desk, String runner, WorkView one) {
        String answer = desk.answer(one.identity(), Kind.STACK, one.entry().slot());
        StackView stack = StackView.of(answer);
        String jid = one.job().jid();
        assertThat(stack.jid()).isEqualTo(jid);
        assertThat(stack.jobClass()).isEqualTo("GateJob");
        assertThat(stack.queue()).isEqualTo("default");
        assertThat(stack.runner()).isEqualTo(runner).isEqualTo(one.entry().place().runner());
        assertThat(stack.pid()).isEqualTo(pids(place).get(jid));
        assertThat(stack.ruby())
                .as(answer)
                .anyMatch(line -> line.contains("ledger.rb") && line.contains("pass"))
                .anyMatch(line -> line.contains("app.rb") && line.contains("perform"));
        assertThat(stack.java().isEmpty()).isNotEqualTo(runner.equals("jruby"));
        if (runner.equals("jruby")) {
            assertThat(stack.thread()).isEqualTo(one.entry().place().thread()).isNotEmpty();
        }
    }

    @Test
    void aServerTellsOfItsChildrenAndItsJvm() {
        try (Workplace place = new Workplace(folder);
                Desk desk = new Desk(place)) {
            Child server = start(place, "mri");
            place.pushJobs(1, "held", "GateJob", "[\"" + SECRET + "\"]");
            place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
            awaitBeat(place, desk, 1);
            // The job began once the first of them was there.
            place.await(
                    "a beat tells of both children",
                    () -> desk.processes.processes().getFirst().own().children() == 2);
            ProcessRecord process = desk.processes.processes().getFirst();
            assertThat(process.isMawashi()).isTrue();
            assertThat(process.own().capsules())
                    .singleElement()
                    .satisfies(capsule -> {
                        assertThat(capsule.runner()).isEqualTo("mri");
                        assertThat(capsule.slots()).isEqualTo(2);
                        assertThat(capsule.busy()).isOne();
                    });

            List<ChildView> children =
                    ChildView.listOf(desk.answer(process.identity(), Kind.CHILDREN, ""));
            long busy = pids(place).get("held0");
            assertAreBusyOrIdle(children, busy);

            JvmView jvm = JvmView.of(desk.answer(process.identity(), Kind.JVM, ""));
            assertThat(jvm.heap().used()).isPositive();
            assertThat(jvm.java()).startsWith("25");
            server.kill();
            // The record outlives the process by a minute.
            assertThat(desk.asking.ask(process.identity(), Kind.JVM, "", Duration.ofMillis(300)))
                    .isEqualTo(Reply.Unanswered.LATE);
            assertThat(place.strings("KEYS", "mw:questions:*")).isEmpty();
        }
    }

    private static void assertAreBusyOrIdle(List<ChildView> children, long busy) {
        assertThat(children).hasSize(2);
        for (ChildView child : children) {
            assertThat(child.state()).isEqualTo(child.pid() == busy ? "busy" : "idle");
            assertThat(child.busy()).isEqualTo(child.pid() == busy ? 1 : 0);
            assertThat(child.slots()).isOne();
            assertThat(child.memoryKib()).isPresent();
            assertThat(child.startedAt()).isPresent();
            assertThat(ProcessHandle.of(child.pid())).isPresent();
        }
    }

    /// Long: it waits out the patience with a child; SilentChildrenIT has silent ones.
    @Tag("long")
    @Test
    void aChildThatIsStoppedHoldsUpNoAnswerForLong() {
        try (Workplace place = new Workplace(folder);
                Desk desk = new Desk(place)) {
            start(place, "mri");
            place.pushJobs(2, "held", "GateJob", "[\"" + SECRET + "\"]");
            place.await("both run", () -> place.ledger().count("start", "GateJob") == 2);
            List<WorkView> work = awaitBeat(place, desk, 2);
            WorkView stopped = work.getFirst();
            place.ruby("stop", "-e", "Process.kill(:STOP, " + stopped.entry().place().pid() + ")");

            String identity = stopped.identity();
            assertThat(
                            desk.asking
                                    .ask(identity, Kind.STACK, stopped.entry().slot(), LONG)
                                    .problem())
                    .startsWith("no job runs in slot");
            assertThat(desk.answer(identity, Kind.THREADS, ""))
                    .contains("process " + work.getLast().entry().place().pid())
                    .doesNotContain("process " + stopped.entry().place().pid() + ":");
            assertThat(ChildView.listOf(desk.answer(identity, Kind.CHILDREN, "")))
                    .extracting(ChildView::state)
                    .containsExactlyInAnyOrder("stopped", "busy");
        }
    }
}
