package dev.mawashi.ruby;

import static dev.mawashi.ruby.ChildrenRig.jids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.children.Child;
import dev.mawashi.event.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of the jobs of an MRI child that dies: one that did it fails with the reason, the
/// others run again.
final class ChildDeathsIT {
    @TempDir Path folder;

    private ChildrenRig start(int processes, int threads) {
        return new ChildrenRig(folder, processes, threads).start();
    }

    @Test
    void aJobThatKillsItsChildFailsWithTheReason() {
        try (ChildrenRig rig = start(1, 2)) {
            rig.push("kill", "CrashJob", "[\"kill\"]");
            rig.capsule().awaitEnded(1);
            rig.push("exit", "CrashJob", "[\"exit\"]");
            rig.capsule().awaitEnded(2);
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(3);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(ChildrenRig.texts(rig.memory().scheduled(Scheduling.From.RETRY)))
                    .contains("Mawashi::ChildDied", "child killed by SIGKILL: ", "| about to go")
                    .contains("child exited with status 7: ");
            assertThat(rig.told("began")).hasSize(2);
            assertThat(rig.told("told")).hasSize(1);
        }
    }

    @Test
    void ofSeveralJobsInADeadChildEachRunsAgainAndThePoisonFailsAlone() {
        try (ChildrenRig rig = start(1, 4)) {
            for (int i = 0; i < 3; i++) {
                rig.push("good" + i, "GateJob", "[\"gate\"]");
            }
            Eventually.until("three began", () -> rig.told("began").size() == 3);
            rig.push("poison", "CrashJob", "[\"kill\"]");
            for (int i = 0; i < 300; i++) {
                rig.push("n" + i, "NoopJob", "[]");
            }
            rig.open("gate");
            rig.capsule().awaitEnded(304);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(jids(rig.told("told"))).containsExactly("good0", "good1", "good2");
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).hasSize(1);
            assertThat(ChildrenRig.texts(rig.memory().scheduled(Scheduling.From.RETRY)))
                    .contains("\"jid\":\"poison\"", "child killed by SIGKILL");
        }
    }

    /// Where a child is slow to come, what it is to run goes back to its queue meanwhile.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void jobsThatWereInHandAtTwoCrashesRunAlone(boolean isSlow) {
        try (ChildrenRig rig = start(1, 4)) {
            if (isSlow) {
                rig.open("slow");
            }
            for (int i = 0; i < 3; i++) {
                rig.push("good" + i, "GateJob", "[\"gate\"]");
            }
            Eventually.until("three began", () -> rig.told("began").size() == 3);
            rig.push("poison", "CrashJob", "[\"kill\",3]");
            Eventually.until("a third round began", () -> rig.told("began").size() >= 8);
            // They hold up nobody in the child that is there for all.
            rig.push("beside", "TellJob", "[]");
            Eventually.until("another ends", () -> jids(rig.told("told")).contains("beside"));
            rig.open("gate");
            rig.capsule().awaitEnded(5);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::jobs)
                    .containsExactly(4, 4, 1);
            assertThat(jids(rig.told("told")))
                    .containsExactlyInAnyOrder("beside", "good0", "good1", "good2");
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).hasSize(1);
        }
    }

    @Test
    void aChildKilledFromOutsideIsReplacedAndItsJobsRunAgain() {
        try (ChildrenRig rig = start(2, 2)) {
            for (int i = 0; i < 4; i++) {
                rig.push("j" + i, "GateJob", "[\"gate\"]");
            }
            Eventually.until("all began", () -> rig.told("began").size() == 4);
            Child child = rig.pool().children().iterator().next();
            assertThat(ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly()).isTrue();
            Eventually.until("two began again", () -> rig.told("began").size() == 6);
            rig.open("gate");
            rig.capsule().awaitEnded(4);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(jids(rig.told("told"))).containsExactly("j0", "j1", "j2", "j3");
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
            assertThat(rig.pool().children()).hasSize(2).doesNotContain(child);
        }
    }

    @Test
    void aStopWaitsForWhatTheAppSaysOfAJobThatKilledItsChild() {
        try (ChildrenRig rig = start(1, 1)) {
            rig.capsule()
                    .push(
                            "q",
                            """
                            {"class":"LastWordJob","args":[],"jid":"last","retry":0}\
                            """);
            Eventually.until("the app is asked", () -> rig.told("asked").equals(List.of("last")));
            CompletableFuture<List<byte[]>> deadAtEnd =
                    CompletableFuture.supplyAsync(() -> {
                        rig.capsule().capsule().stop(Duration.ofSeconds(20));
                        rig.capsule().flush();
                        return rig.memory().dead();
                    });
            Eventually.until("it stops", rig.capsule().capsule()::isQuiet);
            rig.open("word");

            assertThat(ChildrenRig.texts(deadAtEnd.join())).contains("\"jid\":\"last\"");
            assertThat(rig.memory().inFlight("q")).isEmpty();
        }
    }
}
