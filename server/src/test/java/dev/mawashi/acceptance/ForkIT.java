package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi run --runner fork`: each job in a process of its own.
final class ForkIT {
    @TempDir Path folder;

    private static Child run(Workplace place) {
        return place.run(Workplace.NO_GEMS, "--runner", "fork", "-c", "4").awaitLog("working on");
    }

    @Test
    void nothingIsLostWhenTheServerIsKilledAndItsForksDieWithIt() {
        try (Workplace place = new Workplace(folder)) {
            Child killed = run(place);
            // Its next try is hours away, however long this takes.
            place.pushJobs(1, "poison", "PoisonJob", "[],\"retry_count\":9");
            place.pushJobs(200, "plain", "PlainJob", "[1]");
            place.await("they ran", () -> place.ledger().count("end", "PlainJob") == 200);
            assertThat(place.ledger().byPid("end").values())
                    .as("jobs by the process that ran them")
                    .containsOnly(1L);
            place.pushJobs(10, "held", "GateJob", "[\"gate\"]");
            place.await("four run", () -> place.ledger().count("start", "GateJob") == 4);

            Set<Long> forks = new TreeSet<>(place.ledger().byPid("start").keySet());
            killed.signal("KILL");
            place.await(
                    "forks are gone",
                    () -> forks.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
            place.open("gate");
            Child second = run(place);
            place.await("all ran", () -> place.ledger().byJid("end").size() == 210);
            second.signal("TERM");
            assertThat(second.awaitExit()).as(second::log).isZero();

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.ledger().count("start", "GateJob")).isEqualTo(14);
            assertThat(place.number("ZCARD", "retry")).as("the poison").isEqualTo(1);
            assertThat(killed.log())
                    .contains("with 4 slots, runner fork", "jid=poison0: child killed by SIGKILL")
                    .doesNotContain("child died");
            assertThat(place.ledger().lines("error"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.subject()).isEqualTo("poison0");
                        assertThat(line.jobClass()).isEqualTo("Mawashi::ChildDied");
                    });
            assertThat(place.inHandsOf(second)).isEmpty();
        }
    }
}
