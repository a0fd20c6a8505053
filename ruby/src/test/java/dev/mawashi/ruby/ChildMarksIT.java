package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.event.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a child that died had noted of its jobs.
final class ChildMarksIT {
    @TempDir private Path folder;

    private ChildrenRig start() {
        return new ChildrenRig(folder, 1, 2).start();
    }

    @Test
    void whatHadEndedInAChildThatDiedUntoldIsDone() {
        try (ChildrenRig rig = start()) {
            rig.push("done", "LastActJob", "[]");
            rig.capsule().awaitEnded(1);
            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(2);
            rig.capsule().flush();

            assertThat(rig.told("began")).as("runs").hasSize(1);
            assertThat(rig.memory().inFlight("q")).isEmpty();
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::jobs)
                    .containsExactly(0);
        }
    }

    @Test
    void whatFailedInAChildThatDiedUntoldIsNotDone() {
        try (ChildrenRig rig = start()) {
            rig.push("failed", "LastFailureJob", "[]");
            Eventually.until(
                    "it is retried",
                    () -> !rig.memory().scheduled(Scheduling.From.RETRY).isEmpty());

            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::jobs)
                    .containsExactly(1);
        }
    }

    /// The parent's end takes its folder along.
    @Test
    void ofADeadParentsChildrenOnlyWhatRanIsCounted() {
        try (ChildrenRig rig = start()) {
            pushNoops(rig, 0, 2_000);
            rig.push("first", "GateJob", "[\"gate\"]");
            rig.push("second", "GateJob", "[\"gate\"]");
            pushNoops(rig, 2_000, 2_100);
            Eventually.until("two run", () -> rig.told("began").size() == 2);
            ProcessHandle child =
                    ProcessHandle.of(rig.pool().children().iterator().next().pid()).orElseThrow();
            assertThat(child.parent().orElseThrow().destroyForcibly()).isTrue();
            Eventually.until(
                    "the child is missed",
                    () -> !rig.capsule().events().of(Event.ChildLost.class).isEmpty());
            rig.open("gate");
            rig.capsule().awaitEnded(2_102);

            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::jobs)
                    .containsExactly(2);
        }
    }

    @Test
    void theMarksOfAChildThatWorksHaveNoName() throws Exception {
        try (ChildrenRig rig = start()) {
            rig.push("t", "TellJob", "[]");
            rig.capsule().awaitEnded(1);

            try (Stream<Path> files = Files.walk(rig.ownFolder())) {
                assertThat(files).noneMatch(file -> file.toString().contains("marks"));
            }
        }
    }

    private static void pushNoops(ChildrenRig rig, int from, int to) {
        for (int i = from; i < to; i++) {
            rig.push("n" + i, "NoopJob", "[]");
        }
    }
}
