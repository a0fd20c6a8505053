package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of jobs that run in a fork each, and of those beside them.
final class ForkIT {
    @TempDir static Path folder;
    private static ChildrenRig rig;
    private static int ended;

    /// Jobs that a test has run on meanwhile.
    private static int held;

    @BeforeAll
    static void start() {
        rig = ChildrenRig.forks(folder, 3).start();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    /// Runs a job to its end.
    ///
    /// @param jid also names what it is to do
    private static void run(String jobClass, String jid) {
        rig.push(jid, jobClass, "[\"" + jid + "\"]");
        awaitEnded(1);
    }

    private static void awaitEnded(int more) {
        ended += more;
        rig.capsule().awaitEnded(ended);
        Eventually.until("settled", () -> rig.memory().inFlight("q").size() <= held);
    }

    /// What Redis knows of failed jobs.
    private static String failure(String jid) {
        return rig.memory().scheduled(Scheduling.From.RETRY).stream()
                .map(payload -> ChildrenRig.texts(List.of(payload)))
                .filter(text -> text.contains("\"jid\":\"" + jid + "\""))
                .findAny()
                .orElse("none of " + jid);
    }

    @Test
    void jobsRunOnceEachAndSeeNothingOfOneAnother() {
        for (int i = 0; i < 300; i++) {
            rig.push("count" + i, "CountingJob", "[]");
        }
        awaitEnded(300);

        assertThat(rig.told("counts"))
                .hasSize(300)
                .doesNotHaveDuplicates()
                .allMatch(line -> line.endsWith(" 1"));
        assertThat(rig.told("exits")).as("handlers of at_exit").isEmpty();
        assertThat(rig.told("events")).singleElement().asString().startsWith("startup ");
    }

    @Test
    void aJobThatAsksForTheEndOfItsProcessIsNotEnded() {
        rig.push("signals", "SignallingJob", "[\"TSTP\",\"SIGINT\",\"TERM\",15]");
        awaitEnded(1);

        assertThat(failure("signals")).isEqualTo("none of signals");
        assertThat(ChildrenRig.jids(rig.told("told"))).contains("signals");
    }

    @Test
    void aJobThatEndsItsProcessFailsWithTheReasonAndNoOtherDoes() throws Exception {
        rig.push("neighbour", "GateJob", "[\"neighbour\"]");
        Eventually.until("it began", () -> began("neighbour") == 1);
        held = 1;
        for (String how : List.of("kill", "segv", "exit!", "exit! 3", "exit", "abort", "thread")) {
            run("DyingJob", how);
        }

        assertThat(failure("kill"))
                .contains("Mawashi::ChildDied", "\"child killed by SIGKILL: the end is near\"");
        assertThat(failure("segv")).contains("child killed by " + signalOfASegv() + ": ");
        assertThat(failure("exit!")).contains("\"child exited with status 0: the end is near\"");
        assertThat(failure("exit! 3")).contains("child exited with status 3");
        assertThat(failure("exit")).contains("SystemExit");
        assertThat(failure("abort")).contains("SystemExit", "no more");
        assertThat(failure("thread")).contains("SystemExit");
        held = 0;
        rig.open("neighbour");
        awaitEnded(1);
        assertThat(began("neighbour")).isEqualTo(1);
        assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
    }

    /// What Ruby dies of when it meets a SIGSEGV: until 3.2 it aborts, since 3.3 it dies of the
    /// signal itself.
    private static String signalOfASegv() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("ruby", "-rfiddle", "-e", "Fiddle::Pointer.new(1)[0]")
                        .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(TestRuby.environment(Map.of()));
        Process ruby = builder.start();
        String said = new String(ruby.getInputStream().readAllBytes(), UTF_8);
        return switch (ruby.waitFor()) {
            case 128 + 6 -> "SIGABRT";
            case 128 + 11 -> "SIGSEGV";
            default -> throw new AssertionError("Ruby does not die of it: " + said);
        };
    }

    @Test
    void aProcessThatAJobLeavesBehindHoldsUpNothingAndOneThatIsKilledLeavesNone() {
        run("LeavingJob", "daemon");
        run("LeavingJob", "group");
        run("LeavingJob", "twin");
        run("TellJob", "after");

        assertThat(left("daemon")).get().matches(ProcessHandle::destroyForcibly, "it lives");
        Eventually.until("killed with its job", () -> left("group").isEmpty());
        assertThat(failure("group")).contains("child killed by SIGKILL");
        assertThat(failure("twin")).startsWith("none");
        Eventually.until("both came back", () -> rig.told("left").size() == 4);
    }

    private static Optional<ProcessHandle> left(String jid) {
        return rig.told("left").stream()
                .filter(line -> line.startsWith(jid + " "))
                .findFirst()
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line.substring(jid.length() + 1))))
                .filter(ProcessHandle::isAlive);
    }

    @Test
    void whatAJobPrintsIsItsOwn() {
        run("PrintingJob", "lines");
        run("PrintingJob", "garbage");
        run("PrintingJob", "frames");

        Eventually.until(
                "passed on", () -> rig.printed().stream().anyMatch(l -> l.startsWith("\uFFFD20")));
        assertThat(rig.printed())
                .contains("one", "two", "three", "jid=lines: four")
                .anyMatch(line -> line.matches("20.* class=PrintingJob jid=lines INFO: start"))
                .anyMatch(line -> line.matches("20.* jid=lines elapsed=[0-9.e-]+ INFO: done"));
        assertThat(failure("garbage")).startsWith("none");
        assertThat(failure("frames")).contains("child wrote to the server's socket");
        run("TellJob", "afterGarbage");
    }

    @Test
    void largeMessagesComeThrough() {
        rig.push("bulky", "BulkyJob", "[]");
        awaitEnded(1);
        assertThat(failure("bulky")).contains("\"error_message\":\"" + "m".repeat(10_000) + "\"");

        rig.push("large", "EnqueuingJob", "[\"q\",3,1000000]");
        awaitEnded(4);
        assertThat(rig.told("told"))
                .filteredOn(line -> line.startsWith("large-"))
                .hasSize(3)
                .allMatch(line -> line.endsWith(" " + "x".repeat(1_000_000)));

        rig.push("refused", "EnqueuingJob", "[\"refused\",1,1]");
        awaitEnded(1);
        assertThat(failure("refused")).contains("Mawashi::Error", "no Redis here");
    }

    @Test
    void anExhaustedJobReachesTheDeathHandlers() {
        rig.capsule()
                .push(
                        "q",
                        "{\"class\":\"ExhaustedJob\",\"args\":[],\"jid\":\"spent\",\"retry\":0}");
        rig.capsule()
                .push(
                        "q",
                        """
                        {"class":"DyingJob","args":["exit!"],"jid":"gone","retry":0}\
                        """);
        rig.capsule()
                .push(
                        "q",
                        """
                        {"class":"ExhaustedJob","args":[],"jid":"never","retry":false}\
                        """);
        awaitEnded(3);

        assertThat(rig.told("exhausted")).containsExactly("spent PickyError not this");
        assertThat(rig.told("deaths"))
                .hasSize(3)
                .contains("spent PickyError not this", "never PickyError not this")
                .anyMatch(line ->
                        line.startsWith("gone Mawashi::ChildDied child exited with status 0: "));
    }

    private static long began(String jid) {
        return rig.told("began").stream().filter(line -> line.startsWith(jid + " ")).count();
    }
}
