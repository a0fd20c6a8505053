package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs in real processes that run for too long, or that `mawashi cancel` ends.
final class LimitsIT {
    @TempDir Path folder;

    /// One that fails is tried again in hours, however long a test takes.
    private static String job(String jobClass, String jid, String more) {
        return "{\"class\":\"%s\",\"args\":[\"gate\"],\"jid\":\"%s\",\"retry_count\":9,\"created_at\":1795225660717%s}"
                .formatted(jobClass, jid, more);
    }

    private static void push(Workplace place, String queue, String job) {
        place.push(queue, List.of(job.getBytes(UTF_8)));
    }

    private static String retried(Workplace place) {
        return place.strings("ZRANGE", "retry", "0", "-1").stream()
                .map(Workplace::text)
                .toList()
                .toString();
    }

    @Test
    void aProcessWithAStuckThreadGoesOnAndStartsAnewInItsPlaceOnceItIsIdle() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Map.of("MARKER", "kept"), "-c", "1");
            push(place, "default", job("DeafJob", "deaf", ",\"time_limit\":1"));
            place.await("it is settled", () -> place.number("ZCARD", "retry") == 1);
            assertThat(retried(place))
                    .contains(
                            "Mawashi::TimeLimitExceeded", "ran longer than its time limit of 1 s");
            assertThat(place.ledger().lines("error"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.subject()).isEqualTo("deaf");
                        assertThat(line.jobClass()).isEqualTo("Mawashi::TimeLimitExceeded");
                    });
            server.awaitLog("another takes its place");
            server.awaitLog("starting anew");
            place.pushJobs(20, "after", "PlainJob", "[]");
            place.await("jobs run", () -> place.ledger().count("end", "PlainJob") == 20);
            place.await("it has started twice", () -> started(server) == 2);

            assertThat(server.isAlive()).isTrue();
            assertThat(place.ledger().byPid("end").keySet()).containsExactly(server.pid());
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.inHandsOf(server)).isEmpty();
            assertThat(place.ledger().byJid("end")).doesNotContainKey("deaf");
        }
    }

    private static long started(Child server) {
        return server.logLines().stream().filter(line -> line.contains("working on")).count();
    }

    @Test
    void limitsOfTheConfigFileHoldInChildrenAndCancelEndsAJobThere() throws IOException {
        Files.writeString(
                folder.resolve("mawashi.yml"),
                """
                runner: mri
                processes: 1
                recycle_jobs: 50
                queues:
                  low: { time_limit: 0.5 }
                """);
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 0.5\n");
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.run(
                            Workplace.NO_GEMS,
                            "-C",
                            config.toString(),
                            "-q",
                            "default",
                            "-q",
                            "low",
                            "-c",
                            "3");
            server.awaitLog("working on");
            push(place, "low", job("GateJob", "slow", ""));
            push(place, "default", job("GateJob", "long", ""));
            place.await("one is over its limit", () -> place.number("ZCARD", "retry") == 1);
            assertThat(retried(place)).contains("\"slow\"", "its time limit of 0.5 s");

            place.pushJobs(200, "n", "PlainJob", "[]");
            place.await("all ran", () -> place.ledger().count("end", "PlainJob") == 200);
            server.awaitLog("is replaced: it has run ");

            cancel(place, "long");
            server.awaitLog("job was cancelled, it is gone: class=GateJob jid=long");
            assertThat(place.number("ZCARD", "retry")).isOne();
            assertThat(place.number("ZCARD", "dead")).isZero();
        }
    }

    private static void cancel(Workplace place, String jid) {
        Child cancel = place.mawashi(Workplace.NO_GEMS, "cancel", jid);
        assertThat(cancel.awaitExit()).as(cancel::log).isZero();
        assertThat(cancel.log()).contains("job " + jid + " was ended");
    }

    /// Long: a kill and two servers; CrashPointIT ends a server at each step of a cancellation.
    @Tag("long")
    @Test
    void aJobThatWasCancelledAsItsServerDiedNeverBeginsAgain() {
        try (Workplace place = new Workplace(folder)) {
            Child killed = place.run(Workplace.NO_GEMS, "-c", "1");
            push(place, "default", job("DeafJob", "deaf", ""));
            place.await("it runs", () -> place.ledger().count("start", "DeafJob") == 1);
            Child cancel = place.mawashi(Workplace.NO_GEMS, "cancel", "deaf", "--wait", "60");
            place.await("it is marked", () -> place.number("EXISTS", "mw:cancelled") == 1);
            killed.signal("KILL");
            Child next = place.run(Workplace.NO_GEMS, "-c", "1");
            next.awaitLog("job was cancelled, it is gone: class=DeafJob jid=deaf");

            assertThat(cancel.awaitExit()).as(cancel::log).isZero();
            assertThat(place.ledger().count("start", "DeafJob")).isOne();
            assertThat(place.queued()).isEmpty();
            place.await("no mark is left", () -> place.number("EXISTS", "mw:cancelled") == 0);
        }
    }
}
