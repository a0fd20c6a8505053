package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that kills its process each time is found and buried; the jobs that ran beside it, in its
/// capsule and in another one, are not blamed.
final class PoisonIT {
    private static final int INNOCENTS = 300;

    private static final String SUSPECTS = "mw:{queue:default}:suspects";

    @TempDir Path folder;

    private static String text(byte[] payload) {
        return new String(payload, UTF_8);
    }

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

    /// Long: five processes die one after the other; SuspectsTest and ChildCrashesTest have each
    /// step.
    @Tag("long")
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

            // Two crashes among others; from then on it takes only processes of its own.
            for (int crash = 0; crash < 2; crash++) {
                Child victim = start(place, config);
                place.await("it is killed", () -> !victim.isAlive());
            }
            Child server = start(place, config);
            for (int crash = 0; crash < 3; crash++) {
                server.awaitLog("job runs alone, its process died " + crash + " times");
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
            server.awaitLog(
                    "will be run alone queue=default jobs=[",
                    "job is given up",
                    "job went to the dead set: killed by Mawashi::ProcessCrashed"
                            + " class=PoisonJob jid=poison");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    @Test
    void workGoesOnWhileASuspectRunsAloneAndAStopEndsBoth() {
        try (Workplace place = new Workplace(folder)) {
            place.number("SADD", "mw:queues", "default");
            place.number("RPUSH", SUSPECTS, text(payload("GateJob", "[\"gate\"]", "first")));
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "1", "-t", "1");
            Ledger ledger = place.ledger();
            place.await("it runs", () -> ledger.byJid("start").containsKey("first"));
            place.pushJobs(5, "beside", "PlainJob", "[]");
            place.await("others run", () -> ledger.byJid("end").size() == 5);
            place.open("gate");
            place.await("it ends", () -> ledger.byJid("end").containsKey("first"));

            place.shut("gate");
            place.number("LPUSH", SUSPECTS, text(payload("GateJob", "[\"gate\"]", "second")));
            place.await("the next runs", () -> ledger.byJid("start").containsKey("second"));
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.queued()).containsExactly("second");
            assertThat(place.strings("KEYS", "mw:{*")).isEmpty();
        }
    }

    /// Long: a restart and a second process; SoloProcessTest has the words that start it.
    @Tag("long")
    @Test
    void afterARestartASuspectRunsOnNewCodeWithTheServersOwnClassPath() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child server = app.serverOnItsOwnPath("--runner", "mri", "--processes", "1", "-c", "1");
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            app.release("");
            Child restart = place.mawashi(Workplace.NO_GEMS, "restart");
            assertThat(restart.awaitExit()).as(restart::log).isZero();
            place.number("SADD", "mw:queues", "default");
            place.number("RPUSH", SUSPECTS, text(payload("CodeJob", "[]", "suspect")));

            place.await("it ran", () -> place.ledger().byJid("end").containsKey("suspect"));
            assertThat(app.count("end", 2)).isOne();
            server.awaitLog("run alone in process");
            assertThat(server.log()).doesNotContain("in which suspects ran alone, ended with");
        }
    }

    private static Child start(Workplace place, Path config) {
        return place.run(Workplace.NO_GEMS, "-C", config.toString(), "-c", "3");
    }
}
