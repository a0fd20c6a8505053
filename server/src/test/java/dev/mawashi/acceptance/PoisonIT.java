package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that kills its process each time is found and buried; the jobs that ran beside it, in its
/// capsule and in another one, are not blamed.
final class PoisonIT {
    private static final int INNOCENTS = 300;

    /// Two crashes among others, three alone, one start that buries it, and two to spare.
    private static final int STARTS_MAX = 8;

    @TempDir Path folder;

    private static List<byte[]> sleepers(String queue) {
        return IntStream.range(0, INNOCENTS)
                .mapToObj(i -> payload("SleepJob", "[0.01]", queue + i))
                .toList();
    }

    private static byte[] payload(String jobClass, String args, String jid) {
        return "{\"class\":\"%s\",\"args\":%s,\"jid\":\"%s\",\"created_at\":1795225660717}"
                .formatted(jobClass, args, jid)
                .getBytes(UTF_8);
    }

    @Test
    void aJobThatKillsItsProcessIsBuriedAndNoOtherIs() throws IOException {
        Path config =
                Files.writeString(
                        folder.resolve("two.yml"),
                        "queues: [default]\ncapsules: {other: {concurrency: 3, queues: [other]}}\n");
        try (Workplace place = new Workplace(folder)) {
            place.push("default", List.of(payload("PoisonJob", "[]", "poison")));
            place.push("default", sleepers("default"));
            place.push("other", sleepers("other"));

            int starts = 0;
            Child server = start(place, config);
            while (++starts < STARTS_MAX && endsByItself(place, server)) {
                server = start(place, config);
            }

            Ledger ledger = place.ledger();
            place.await("it is buried", () -> place.number("ZCARD", "dead") == 1);
            place.await("all others run", () -> ledger.byJid("end").size() == 2 * INNOCENTS);
            assertThat(Workplace.text(place.strings("ZRANGE", "dead", "0", "0").getFirst()))
                    .contains("\"jid\":\"poison\"", "\"error_class\":\"Mawashi::ProcessCrashed\"");
            assertThat(place.number("ZCARD", "retry")).isZero();
            place.await("the app is told", () -> ledger.byJid("death").containsKey("poison"));
            assertThat(ledger.lines("error"))
                    .extracting(Ledger.Line::subject, Ledger.Line::jobClass)
                    .containsExactly(tuple("poison", "Mawashi::ProcessCrashed"));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    private static Child start(Workplace place, Path config) {
        return place.run(Workplace.NO_GEMS, "-C", config.toString(), "-c", "3");
    }

    /// False once the job is buried.
    private static boolean endsByItself(Workplace place, Child server) {
        place.await(
                "it is killed, or the job buried",
                () -> !server.isAlive() || place.number("ZCARD", "dead") > 0);
        return !server.isAlive();
    }
}
