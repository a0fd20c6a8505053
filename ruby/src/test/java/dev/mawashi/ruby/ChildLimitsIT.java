package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildLimits;
import dev.mawashi.dispatch.TimeLimits;
import dev.mawashi.event.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of jobs in MRI children that run for too long or are cancelled, and of children
/// that grow old.
final class ChildLimitsIT {
    private static final TimeLimits LIMITS =
            new TimeLimits(Map.of("slow", Duration.ofMillis(300)), null, Duration.ofMillis(600));

    @TempDir Path folder;

    private ChildrenRig start(int processes, int threads, ChildLimits limits) {
        return new ChildrenRig(folder, processes, threads, LIMITS, limits).start();
    }

    private static String failures(ChildrenRig rig) {
        return ChildrenRig.texts(rig.memory().scheduled(Scheduling.From.RETRY));
    }

    private static void awaitSettled(ChildrenRig rig) {
        Eventually.until(
                "settled",
                () ->
                        rig.memory().inFlight("q").isEmpty()
                                && rig.memory().inFlight("slow").isEmpty());
    }

    @Test
    void aJobOverItsLimitFailsInItsThreadAndNobodyElseNotices() {
        try (ChildrenRig rig = start(1, 3, ChildLimits.NONE)) {
            rig.push("free", "GateJob", "[\"gate\"]");
            rig.push("slow", "queue", "GateJob", "[\"never\"]", "");
            rig.push("q", "own", "GateJob", "[\"never\"]", ",\"time_limit\":0.4");
            rig.capsule().awaitEnded(2);
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(3);
            rig.open("gate");
            rig.capsule().awaitEnded(4);
            awaitSettled(rig);

            assertThat(failures(rig))
                    .contains("\"jid\":\"queue\"", "\"jid\":\"own\"", "Mawashi::TimeLimitExceeded")
                    .contains("ran longer than its time limit of 0.3 s", "limit of 0.4 s");
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).hasSize(2);
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
            assertThat(rig.told("errors"))
                    .containsExactlyInAnyOrder(
                            "queue Mawashi::TimeLimitExceeded", "own Mawashi::TimeLimitExceeded");
        }
    }

    @Test
    void aJobThatDoesNotEndIsKilledWithItsChildAndItsNeighboursRunAgain() {
        try (ChildrenRig rig = start(1, 3, ChildLimits.NONE)) {
            rig.push("slow", "deaf", "DeafJob", "[]", "");
            rig.push("n1", "GateJob", "[\"gate\"]");
            rig.push("n2", "GateJob", "[\"gate\"]");
            Eventually.until("they run again", () -> rig.told("began").size() == 5);
            rig.open("gate");
            rig.capsule().awaitEnded(3);
            awaitSettled(rig);

            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).hasSize(1);
            assertThat(failures(rig)).contains("\"jid\":\"deaf\"", "time limit of 0.3 s");
            assertThat(rig.told("told")).hasSize(2);
            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::how)
                    .containsExactly(
                            "killed by the server, since a job ran longer than its time limit of 0.3 s");
        }
    }

    @Test
    void aStoppedChildIsKilledAndOnlyItsOverdueJobFails() throws IOException {
        try (ChildrenRig rig = start(1, 2, ChildLimits.NONE)) {
            rig.push("slow", "slow", "GateJob", "[\"gate\"]", "");
            rig.push("beside", "GateJob", "[\"gate\"]");
            Eventually.until("both run", () -> rig.told("began").size() == 2);
            Child child = rig.pool().children().iterator().next();
            new ProcessBuilder("kill", "-STOP", Long.toString(child.pid())).start();
            Eventually.until("one began again", () -> rig.told("began").size() == 3);
            rig.open("gate");
            rig.capsule().awaitEnded(2);
            awaitSettled(rig);

            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).hasSize(1);
            assertThat(failures(rig)).contains("\"jid\":\"slow\"", "Mawashi::TimeLimitExceeded");
            assertThat(rig.told("told")).singleElement().asString().startsWith("beside");
        }
    }

    @Test
    void cancelledJobsEndOrNeverBegin() {
        try (ChildrenRig rig = start(1, 2, ChildLimits.NONE)) {
            rig.push("runs", "GateJob", "[\"never\"]");
            rig.push("deaf", "DeafJob", "[]");
            Eventually.until("both run", () -> rig.told("began").size() == 2);
            rig.push("waits", "GateJob", "[\"never\"]");
            rig.capsule().cancelled().set(Set.of("runs", "waits", "deaf"));
            Eventually.until(
                    "all are gone",
                    () -> rig.capsule().events().of(Event.JobCancelled.class).size() == 3);
            rig.push("after", "TellJob", "[]");
            Eventually.until("a job runs", () -> rig.told("told").size() == 1);
            awaitSettled(rig);

            assertThat(rig.told("began")).hasSize(2);
            assertThat(rig.told("errors")).isEmpty();
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
            assertThat(rig.memory().queued("q")).isEmpty();
        }
    }

    @Test
    void aChildIsReplacedAfterSoManyJobsWithoutLosingAny() {
        try (ChildrenRig rig = start(2, 2, new ChildLimits(0, 200, null))) {
            Eventually.until("two work", () -> rig.pool().children().size() == 2);
            Set<Child> first = Set.copyOf(rig.pool().children());
            rig.push("long", "GateJob", "[\"gate\"]");
            for (int i = 0; i < 3_000; i++) {
                rig.push("n" + i, "NoopJob", "[]");
            }
            rig.capsule().awaitEnded(3_000);
            rig.open("gate");
            rig.capsule().awaitEnded(3_001);
            awaitSettled(rig);

            // The jobs may be done before the successors are ready.
            Eventually.until(
                    "both were replaced",
                    () ->
                            rig.pool().children().size() == 2
                                    && rig.pool().children().stream().noneMatch(first::contains));
            assertThat(rig.told("began")).hasSize(1);
            assertThat(rig.capsule().events().of(Event.ChildRecycled.class))
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(event -> event.why().startsWith("it has run "));
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
        }
    }

    @Test
    void otherLimitsCountForChildrenThatLive() {
        try (ChildrenRig rig = start(1, 1, ChildLimits.NONE)) {
            rig.push("before", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            rig.pool().limit(new ChildLimits(0, 2, null));
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(2);

            Eventually.until(
                    "it is replaced",
                    () -> !rig.capsule().events().of(Event.ChildRecycled.class).isEmpty());
            assertThat(rig.capsule().events().of(Event.ChildRecycled.class).getFirst().why())
                    .isEqualTo("it has run 2 jobs");
        }
    }

    @Test
    void anOldChildIsReplaced() {
        try (ChildrenRig rig = start(1, 1, new ChildLimits(0, 0, Duration.ofSeconds(1)))) {
            Eventually.until(
                    "it is replaced",
                    () -> !rig.capsule().events().of(Event.ChildRecycled.class).isEmpty());
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(1);

            assertThat(rig.capsule().events().of(Event.ChildRecycled.class).getFirst().why())
                    .isEqualTo("it is 0 min old");
        }
    }

    @Test
    void aChildThatUsesTwiceItsMemoryIsKilledAndItsJobFailsWithTheReason() {
        try (ChildrenRig rig = start(1, 1, new ChildLimits(80, 0, null))) {
            rig.push("greedy", "GreedyJob", "[300]");
            rig.capsule().awaitEnded(1);
            awaitSettled(rig);

            assertThat(List.of(failures(rig)))
                    .singleElement()
                    .asString()
                    .matches(
                            "(?s).*child used \\d+ MB, more than twice its limit of 80 MB.*Mawashi::ChildDied.*");
        }
    }

    @Test
    void aForkOverItsLimitIsAskedThenKilledWithWhatItStartedAndNoOtherNotices() {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 4, LIMITS).start()) {
            rig.push("slow", "soft", "SlowJob", "[\"soft\"]", "");
            rig.push("slow", "family", "SlowJob", "[\"family\"]", "");
            rig.push("q", "free", "SlowJob", "[\"deaf\"]", "");
            rig.push("q", "gone", "SlowJob", "[\"deaf\"]", "");
            Eventually.until("all run", () -> rig.told("began").size() == 4);
            rig.capsule().cancelled().set(Set.of("gone"));
            rig.capsule().awaitEnded(3);
            Eventually.until(
                    "the offspring is dead",
                    () ->
                            ProcessHandle.of(Long.parseLong(rig.told("offspring").getFirst()))
                                    .isEmpty());

            Eventually.until(
                    "both are settled",
                    () -> rig.memory().scheduled(Scheduling.From.RETRY).size() == 2);
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY))
                    .hasSize(2)
                    .allSatisfy(job ->
                            assertThat(ChildrenRig.texts(List.of(job)))
                                    .contains("\"error_class\":\"Mawashi::TimeLimitExceeded\"")
                                    .contains("ran longer than its time limit of 0.3 s"));
            assertThat(rig.told("ensured")).containsExactly("soft");
            assertThat(rig.capsule().events().of(Event.JobCancelled.class)).hasSize(1);
            assertThat(rig.capsule().events().of(Event.ChildLost.class)).isEmpty();
            assertThat(rig.told("began")).hasSize(4);
            assertThat(rig.capsule().capsule().running()).hasSize(1);
        }
    }

    @Test
    void aForkerThatStoppedIsKilledAndOnlyTheOverdueJobFails() throws IOException {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 2, LIMITS).start()) {
            rig.push("slow", "slow", "SlowJob", "[\"soft\"]", "");
            rig.push("q", "beside", "SlowJob", "[\"soft\"]", "");
            Eventually.until("both run", () -> rig.told("began").size() == 2);
            Child forker = rig.pool().children().iterator().next();
            new ProcessBuilder("kill", "-STOP", Long.toString(forker.pid())).start();
            Eventually.until("one began again", () -> rig.told("began").size() == 3);
            awaitFailed(rig);

            assertThat(failures(rig)).contains("\"jid\":\"slow\"", "Mawashi::TimeLimitExceeded");
            assertThat(rig.told("began").getLast()).startsWith("beside");
        }
    }

    private static void awaitFailed(ChildrenRig rig) {
        Eventually.until(
                "one failed", () -> rig.memory().scheduled(Scheduling.From.RETRY).size() == 1);
    }
}
