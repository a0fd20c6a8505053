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

/// The process that forks for each job: its stop, and its death.
final class ForkerIT {
    @TempDir Path folder;

    @Test
    void aStopInterruptsWhatRunsAndRequeuesEverything() {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 2).start()) {
            rig.push("heeding", "HeedingJob", "[]");
            Eventually.until("it began", () -> rig.told("began").size() == 1);
            rig.pool().children().forEach(Child::dump);
            Eventually.until(
                    "dumped", () -> rig.printed().toString().contains("jid=heeding: main:"));
            rig.pool().children().forEach(child -> child.fire("quiet"));
            Eventually.until("it heeds the stop", () -> rig.told("told").size() == 1);
            Eventually.until("blocks are called", () -> rig.told("events").size() == 2);
            long forker = rig.pool().children().iterator().next().pid();
            assertThat(rig.told("events")).containsExactly("startup " + forker, "quiet " + forker);

            for (int i = 0; i < 6; i++) {
                rig.push("j" + i, "GateJob", "[\"never\"]");
            }
            Eventually.until("two began", () -> rig.told("began").size() == 3);
            rig.capsule().capsule().stop(Duration.ofMillis(50));
            rig.capsule().flush();

            assertThat(ChildrenRig.texts(rig.memory().queued("q")))
                    .contains("j0", "j1", "j2", "j3", "j4", "j5");
            assertThat(rig.memory().inFlight("q")).isEmpty();
            assertThat(rig.told("cut")).containsExactlyInAnyOrder("j0", "j1");
        }
    }

    @Test
    void forksDieWithTheirForkerAndTheirJobsRunAgain() {
        try (ChildrenRig rig = ChildrenRig.forks(folder, 2).start()) {
            for (int i = 0; i < 4; i++) {
                rig.push("j" + i, "GateJob", "[\"gate\"]");
            }
            Eventually.until("two began", () -> rig.told("began").size() == 2);
            List<String> first = rig.told("began");
            Child forker = rig.pool().children().iterator().next();
            assertThat(ProcessHandle.of(forker.pid()).orElseThrow().destroyForcibly()).isTrue();
            Eventually.until("two began again", () -> rig.told("began").size() == 4);
            Eventually.until("forks died", () -> first.stream().noneMatch(ForkerIT::isAlive));
            rig.open("gate");
            rig.capsule().awaitEnded(4);
            Eventually.until("settled", () -> rig.memory().inFlight("q").isEmpty());

            assertThat(rig.told("told")).hasSize(4);
            assertThat(rig.memory().scheduled(Scheduling.From.RETRY)).isEmpty();
            assertThat(rig.capsule().events().of(Event.ChildLost.class))
                    .extracting(Event.ChildLost::jobs)
                    .containsExactly(2);
        }
    }

    private static boolean isAlive(String line) {
        return ProcessHandle.of(Long.parseLong(pidOf(line))).isPresent();
    }

    private static String pidOf(String line) {
        return line.substring(line.lastIndexOf(' ') + 1);
    }
}
