package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that no runner inside the server's own process survives: they end the server, and another
/// one runs all that it had in hand.
final class LostServerIT {
    private static final String APP =
            Path.of("src/test/ruby/acceptance/hostile.rb").toAbsolutePath().toString();

    @TempDir Path folder;

    private static Child run(Workplace place, String... more) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP, "-c", "4", "-t", "1"));
        words.addAll(List.of("--lease", "2", "--sweep", "0.5"));
        words.addAll(List.of(more));
        return place.mawashi(Map.of(), words.toArray(String[]::new));
    }

    /// @param status that the server ends with: what the job says, or the JVM's own for want of
    ///   memory
    /// @param said by the JVM
    @EachOf({"exit,7,", "memory,3,Terminating due to java.lang.OutOfMemoryError"})
    void aJobThatEndsTheServerLosesNothing(String how, int status, String said) {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(3, "held", "GateJob", "[\"gate\"]");
            place.pushJobs(
                    1, "ends", "HostileJob", "[\"ends_server\",\"gate\",\"%s\"]".formatted(how));
            place.pushJobs(20, "plain", "PlainJob", "[]");
            Child first = run(place);
            assertThat(first.awaitExit()).as(first::log).isEqualTo(status);
            assertThat(first.log()).contains(said);
            assertThat(place.ledger().byJid("end")).isEmpty();

            place.open("gate");
            run(place, "--runner", "mri", "--processes", "1");
            place.await("all ran", () -> place.ledger().byJid("end").size() == 24);
            place.await("all are settled", () -> place.strings("KEYS", "mw:*inflight*").isEmpty());

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.queued()).isEmpty();
            assertThat(place.number("ZCARD", "retry")).isZero();
            assertThat(place.number("ZCARD", "dead")).isZero();
        }
    }

    /// The JVM goes on without it, and nobody knows what is not done any more. Long: a server of
    /// JRuby more.
    @Tag("long")
    @Test
    void anErrorThatEndsAThreadOfTheServersOwnHasItGiveBackItsJobsAndFail() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(3, "held", "GateJob", "[\"gate\"]");
            Child server = run(place);
            place.await("they run", () -> place.ledger().byJid("start").size() == 3);
            place.pushJobs(1, "ends", "HostileJob", "[\"ends_server_thread\"]");

            assertThat(server.awaitExit()).as(server::log).isOne();

            assertThat(server.log())
                    .contains(
                            "thread mawashi-recover-2 ended with java.lang.OutOfMemoryError: unable"
                                    + " to create native thread: stopping");
            assertThat(place.queued()).containsExactly("held0", "held1", "held2");
            assertThat(place.strings("KEYS", "mw:*inflight*")).isEmpty();
            assertThat(place.number("EXISTS", "processes")).isZero();
        }
    }
}
