package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Scheduling;
import dev.mawashi.children.Child;
import dev.mawashi.event.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ruby processes that stand still, or read nothing.
final class SilentChildrenIT {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir private Path folder;

    @Test
    void aChildThatWasStoppedIsKilledAndItsJobsRunElsewhere() throws Exception {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 2).start()) {
            rig.push("a", "GateJob", "[\"gate\"]");
            rig.push("b", "GateJob", "[\"gate\"]");
            Eventually.until("both run", () -> rig.told("began").size() == 2);
            signal("STOP", child(rig).pid());
            Eventually.until(
                    "it is missed",
                    () -> {
                        rig.pool().check();
                        return !lost(rig).isEmpty();
                    });
            rig.open("gate");
            rig.capsule().awaitEnded(2);

            assertThat(lost(rig)).containsExactly("child was stopped for 10 s");
            assertThat(rig.told("told")).hasSize(2);
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
        }
    }

    @Test
    void aStopThatIsOverHarmsNobody() throws Exception {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 1).start()) {
            rig.push("a", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            signal("STOP", child(rig).pid());
            rig.pool().check();
            rig.pool().check();
            signal("CONT", child(rig).pid());
            rig.push("b", "TellJob", "[]");
            rig.capsule().awaitEnded(2);
            rig.pool().check();

            assertThat(lost(rig)).isEmpty();
            assertThat(recycled(rig)).isEmpty();
        }
    }

    @Test
    void whatASilentChildHasNotBegunRunsElsewhereOnceTheLeaseIsOver() throws Exception {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 2).start()) {
            ProcessHandle hogged = pushBehindAHog(rig, SECOND);
            long over = System.nanoTime() + 3 * SECOND.toNanos();
            Eventually.until("the lease is over", () -> System.nanoTime() - over > 0);
            lease(rig, LONG);
            checkOften(rig);
            Eventually.until("it runs", () -> rig.told("told").size() == 1);
            assertThat(hogged.isAlive()).as("the silent child lives").isTrue();

            assertRunOnce(rig, hogged);
        }
    }

    @Test
    void untilTheLeaseIsOverItMayBeginIt() throws Exception {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 2).start()) {
            ProcessHandle hogged = pushBehindAHog(rig, LONG);
            checkOften(rig);
            assertThat(rig.capsule().capsule().running()).hasSize(2);

            assertRunOnce(rig, hogged);
        }
    }

    /// The job behind has a thread of its own in the child, and cannot be told from one that runs.
    private static ProcessHandle pushBehindAHog(ChildrenRig rig, Duration lease) {
        // Before anything is pushed: of two leases that a child was told of the longer one holds.
        lease(rig, lease);
        rig.push("hog", "HogJob", "[\"gate\"]");
        Eventually.until(
                "it hogs the child",
                () -> {
                    lease(rig, lease);
                    return rig.told("began").size() == 1;
                });
        rig.push("behind", "TellJob", "[]");
        Eventually.until(
                "it is sent",
                () -> {
                    lease(rig, lease);
                    return rig.capsule().capsule().running().size() == 2;
                });
        return ProcessHandle.of(child(rig).pid()).orElseThrow();
    }

    private static void assertRunOnce(ChildrenRig rig, ProcessHandle hogged) {
        Eventually.until("it gets a successor", () -> !recycled(rig).isEmpty());
        rig.open("gate");
        rig.capsule().awaitEnded(2);
        Eventually.until("it ends", () -> !hogged.isAlive());
        assertThat(rig.told("told")).singleElement().asString().startsWith("behind ");
        assertThat(recycled(rig)).containsExactly("it has answered nothing for 30 s");
        assertThat(lost(rig)).isEmpty();
    }

    private static void lease(ChildrenRig rig, Duration length) {
        rig.capsule().epoch().leasedUntil(System.nanoTime() + length.toNanos());
    }

    /// As long as a child may be silent, and too seldom for one that is forked meanwhile.
    private static void checkOften(ChildrenRig rig) {
        for (int i = 0; i < 9; i++) {
            rig.pool().check();
        }
    }

    @Test
    void aParentThatWasStoppedIsStartedAnewWhenAChildIsWanted() throws Exception {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 1).start()) {
            rig.push("a", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            ProcessHandle process = ProcessHandle.of(child(rig).pid()).orElseThrow();
            signal("STOP", process.parent().orElseThrow().pid());
            rig.pool().check();
            rig.pool().check();
            rig.push("b", "TellJob", "[]");
            rig.capsule().awaitEnded(2);
            assertThat(process.destroyForcibly()).isTrue();
            Eventually.until(
                    "it is missed",
                    () -> {
                        rig.pool().check();
                        return isMissed(rig.troubles());
                    });
            rig.push("c", "TellJob", "[]");
            rig.capsule().awaitEnded(3);
        }
    }

    private static boolean isMissed(List<String> troubles) {
        return troubles.stream().anyMatch(line -> line.contains("is stopped and forks no child"));
    }

    private static List<String> lost(ChildrenRig rig) {
        return rig.capsule().events().of(Event.ChildLost.class).stream()
                .map(Event.ChildLost::how)
                .toList();
    }

    private static List<String> recycled(ChildrenRig rig) {
        return rig.capsule().events().of(Event.ChildRecycled.class).stream()
                .map(Event.ChildRecycled::why)
                .toList();
    }

    private static Child child(ChildrenRig rig) {
        return rig.pool().children().iterator().next();
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor()).isZero();
    }
}
