package dev.mawashi.ruby;

import static dev.mawashi.ruby.ChildrenRig.jids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.children.Child;
import dev.mawashi.event.Event;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of jobs that MRI children run; of those whose child dies, see `ChildDeathsIT`.
final class ChildrenIT {
    @TempDir Path folder;

    private ChildrenRig start(int processes, int threads) {
        return new ChildrenRig(folder, processes, threads).start();
    }

    @Test
    void childrenRunJobs() {
        try (ChildrenRig rig = start(2, 3)) {
            for (int i = 0; i < 2_000; i++) {
                rig.push("n" + i, "NoopJob", "[1,\"two\",{\"three\":null}]");
            }
            rig.push("t", "TellJob", "[\"終\"]");
            rig.capsule().awaitEnded(2_001);
            rig.capsule().flush();

            assertThat(rig.told("told")).singleElement().asString().matches("t \\d+ 終");
            assertThat(rig.memory().inFlight("q")).isEmpty();
            assertThat(rig.told("events")).hasSize(2);
        }
    }

    @Test
    void aChildsFirstBeatIsItsHeartbeatToo() {
        try (ChildrenRig rig = start(1, 1)) {
            Eventually.until("it is born", () -> !rig.pool().children().isEmpty());
            for (String event : List.of("beat", "beat", "quiet")) {
                rig.pool().children().forEach(child -> child.fire(event));
            }
            Eventually.until("all are called", () -> rig.told("events").size() == 3);

            assertThat(rig.told("events").stream().map(line -> line.split(" ", 2)[0]))
                    .containsExactly("startup", "heartbeat", "quiet");
        }
    }

    @Test
    void eachWayToFailIsAFailure() {
        try (ChildrenRig rig = start(1, 2)) {
            List<String> kinds = List.of("standard", "exit", "throw", "kill", "binary", "deep");
            kinds.forEach(kind -> rig.push(kind, "RaisingJob", "[\"" + kind + "\"]"));
            rig.push("unknown", "NoSuchJob", "[]");
            rig.capsule().push("q", "no JSON at all");
            rig.capsule().awaitEnded(7);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(ChildrenRig.texts(rig.memory().scheduled(Scheduling.From.RETRY)))
                    .contains("\"error_class\":\"ArgumentError\"", "\"error_message\":\"wrong\"")
                    .contains("\"error_class\":\"SystemExit\"", "\"error_message\":\"exit\"")
                    .contains("UncaughtThrowError", "the job ended its own thread", "caf\uFFFD")
                    .contains("SystemStackError", "uninitialized constant NoSuchJob");
            assertThat(ChildrenRig.texts(rig.memory().dead())).contains("no JSON at all");
            assertThat(rig.told("errors")).contains("standard ArgumentError", "kill ThreadError");
            rig.push("after", "TellJob", "[]");
            Eventually.until("a job runs after all", () -> rig.told("told").size() == 1);
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
        }
    }

    @Test
    void payloadsThatAreNoJobsDoNotTouchTheOneBetweenThem() {
        try (ChildrenRig rig = start(1, 3)) {
            String job = "{\"class\":\"TellJob\",\"args\":[],\"jid\":\"between\"}";
            // Together they would be an array of three objects.
            rig.capsule().push("q", "{\"args\":[1", job, "2]},{},{}");
            rig.capsule().awaitEnded(1);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(rig.told("told")).singleElement().asString().startsWith("between ");
            assertThat(rig.memory().dead()).hasSize(2);
        }
    }

    @Test
    void aJobThatForksAndReturnsTwiceEndsOnce() {
        try (ChildrenRig rig = start(1, 2)) {
            rig.push("copied", "CopyJob", "[\"gate\"]");
            Eventually.until("its copy has ended", () -> rig.told("copied").size() == 1);
            // Its outcome comes after whatever the copy may have said.
            rig.push("beside", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            Eventually.until("only that is settled", () -> rig.memory().inFlight("q").size() == 1);
            assertThat(jids(rig.told("told"))).containsExactly("beside");

            rig.open("gate");
            rig.capsule().awaitEnded(2);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());
            assertThat(jids(rig.told("told"))).containsExactly("beside", "copied");
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
        }
    }

    @Test
    void aStopRequeuesWhatRunsAndWhatHasNotBegun() {
        try (ChildrenRig rig = start(1, 2)) {
            for (int i = 0; i < 6; i++) {
                rig.push("j" + i, "GateJob", "[\"never\"]");
            }
            Eventually.until("two began", () -> rig.told("began").size() == 2);
            rig.capsule().capsule().stop(Duration.ofMillis(50));
            rig.capsule().flush();

            assertThat(ChildrenRig.texts(rig.memory().queued("q")))
                    .contains("j0", "j1", "j2", "j3", "j4", "j5");
            assertThat(rig.memory().inFlight("q")).isEmpty();
            assertThat(jids(rig.told("cut"))).containsExactly("j0", "j1");
        }
    }

    @Test
    void jobsBehindALongOneRunInAnotherChild() {
        try (ChildrenRig rig = start(2, 1)) {
            for (int i = 0; i < 2_000; i++) {
                rig.push("n" + i, "NoopJob", "[]");
            }
            rig.push("long", "GateJob", "[\"gate\"]");
            for (int i = 2_000; i < 4_000; i++) {
                rig.push("n" + i, "NoopJob", "[]");
            }
            rig.capsule().awaitEnded(4_000);
            assertThat(rig.told("began")).hasSize(1);
            rig.open("gate");
            rig.capsule().awaitEnded(4_001);
        }
    }

    @Test
    void anExhaustedJobReachesTheDeathHandlers() {
        try (ChildrenRig rig = start(1, 1)) {
            rig.capsule()
                    .push(
                            "q",
                            """
                            {"class":"RaisingJob","args":["standard"],"jid":"last","retry":0}\
                            """);
            rig.capsule().awaitEnded(1);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(rig.told("deaths")).containsExactly("last ArgumentError wrong");
            assertThat(rig.memory().dead()).hasSize(1);
        }
    }

    @Test
    void jobsAreLoggedWithTheirJid() {
        try (ChildrenRig rig = start(1, 1)) {
            rig.push("logged", "LoggingJob", "[]");
            rig.push("bad", "RaisingJob", "[\"standard\"]");
            rig.capsule().awaitEnded(2);
            Eventually.until("told", () -> rig.printed().toString().contains("INFO: fail"));

            assertThat(rig.printed())
                    .anyMatch(line -> line.matches("20.*class=LoggingJob jid=logged INFO: start"))
                    .anyMatch(line ->
                            line.matches(".*class=LoggingJob jid=logged WARN: in the middle"))
                    .anyMatch(line -> line.matches(".*jid=logged elapsed=[0-9.e-]+ INFO: done"))
                    .anyMatch(line -> line.matches(".*jid=bad elapsed=[0-9.e-]+ INFO: fail"));
        }
    }

    @Test
    void ofRequestsThatCameTogetherOnlyTheBadOneIsRefused() {
        try (ChildrenRig rig = start(1, 8)) {
            rig.holdNextEnqueue();
            rig.push("first", "EnqueuingJob", "[\"slow\"]");
            Eventually.until("the first one waits", () -> !rig.enqueued().isEmpty());
            for (int i = 0; i < 5; i++) {
                rig.push("n" + i, "EnqueuingJob", "[\"slow\"]");
            }
            rig.push("bad", "EnqueuingJob", "[\"refused\"]");
            Eventually.until("all ask", () -> rig.told("asking").size() == 7);
            rig.open("enqueue");
            rig.capsule().awaitEnded(13);

            assertThat(jids(rig.told("stored")))
                    .containsExactly("first", "n0", "n1", "n2", "n3", "n4");
            assertThat(rig.told("refused")).containsExactly("bad no Redis here");
            assertThat(rig.enqueued()).anyMatch(requests -> requests > 1);
        }
    }

    @Test
    void manyLargeJobsRun() {
        try (ChildrenRig rig = start(1, 10)) {
            assertThatManyLargeJobsRun(rig);
        }
    }

    @Test
    void manyLargeJobsRunInForks() {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 10).start()) {
            assertThatManyLargeJobsRun(rig);
        }
    }

    /// As many at once as Redis gives at a claim, whose first look takes ten whatever their size.
    private static void assertThatManyLargeJobsRun(ChildrenRig rig) {
        Eventually.until("it is born", () -> !rig.pool().children().isEmpty());
        String text = "x".repeat(7 << 20);
        List<Child.Job> jobs =
                LongStream.range(0, 10).mapToObj(i -> sizeJob(1_000_000 + i, text)).toList();
        rig.pool().children().iterator().next().run(jobs, Long.MAX_VALUE);
        Eventually.until("all have run", () -> rig.told("sizes").size() == 10);

        assertThat(rig.told("sizes")).containsOnly(Integer.toString(7 << 20));
        assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
    }

    private static Child.Job sizeJob(long id, String text) {
        String payload =
                "{\"class\":\"SizeJob\",\"args\":[\"%s\"],\"jid\":\"large%d\"}".formatted(text, id);
        return new Child.Job(
                Child.id(id, 0),
                "q".getBytes(StandardCharsets.UTF_8),
                payload.getBytes(StandardCharsets.UTF_8),
                true);
    }

    @Test
    void aJobThatEnqueuesTooMuchIsToldSoAndItsChildLives() {
        try (ChildrenRig rig = start(1, 2)) {
            rig.push("payload", "BulkJob", "[1,70000000]");
            rig.push("many", "BulkJob", "[10,7000000]");
            rig.capsule().awaitEnded(12);

            assertThat(rig.told("refused"))
                    .singleElement()
                    .asString()
                    .startsWith("payload payload for queue \"q\" is 70000")
                    .endsWith("store the data elsewhere and pass its id");
            assertThat(rig.told("sizes")).hasSize(10).containsOnly("7000000");
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
        }
    }
}
