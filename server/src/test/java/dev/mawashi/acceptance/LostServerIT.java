package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs that no runner inside the server's own process survives: they end the server, and another
/// one runs all that it had in hand.
final class LostServerIT {
    private static final String APP =
            Path.of("src/test/ruby/acceptance/hostile.rb").toAbsolutePath().toString();

    @TempDir Path folder;

    private static Child run(Workplace place) {
        return place.mawashi(
                Map.of(), "run", "-r", APP, "-c", "4", "--lease", "2", "--sweep", "0.5");
    }

    /// @param status that the server ends with: what the job says, or the JVM's own for want of
    ///   memory
    @ParameterizedTest
    @CsvSource({"exit,7", "memory,3"})
    void aJobThatEndsTheServerLosesNothing(String how, int status) {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(3, "held", "GateJob", "[\"gate\"]");
            place.pushJobs(
                    1, "ends", "HostileJob", "[\"ends_server\",\"gate\",\"%s\"]".formatted(how));
            place.pushJobs(20, "plain", "PlainJob", "[]");
            Child first = run(place);
            assertThat(first.awaitExit()).as(first::log).isEqualTo(status);
            assertThat(place.ledger().byJid("end")).isEmpty();

            place.open("gate");
            run(place);
            place.await("all ran", () -> place.ledger().byJid("end").size() == 24);
            place.await("all are settled", () -> place.strings("KEYS", "mw:*inflight*").isEmpty());

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.queued()).isEmpty();
            assertThat(place.number("ZCARD", "retry")).isZero();
            assertThat(place.number("ZCARD", "dead")).isZero();
        }
    }
}
