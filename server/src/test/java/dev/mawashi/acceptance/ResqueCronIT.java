package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The schedules of an app with resque-scheduler in real servers. The gem itself is not there: a
/// stand-in has its names and writes its keys.
final class ResqueCronIT {
    private static final Path APP = Programs.SCRIPTS.resolve("resque_cron_app.rb");
    private static final String LOCK = "app:app:resque_scheduler_master_lock";
    private static final String NEW =
            "Resque.set_schedule(\"new\", { \"cron\" => \"* * * * * *\", \"class\" => \"NotedJob\","
                    + " \"queue\" => \"new\", \"args\" => [\"n\"], \"persist\" => true })";

    /// As a resque-scheduler would have it, were this server not there.
    private static final String SEIZE = "redis.call('SET', KEYS[1], 'host:1') return 1";

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void theirJobsAreEnqueuedUnlessAResqueSchedulerIsMaster(String runner) throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Map<String, String> gems =
                    runner.equals("jruby")
                            ? JrubyGems.of(place, folder, List.of("sidekiq", "rufus-scheduler"))
                            : Map.of();
            Child server = run(place, gems, runner);
            place.await("both", () -> runs(place, "pulse") > 1 && queued(place, "kept") > 1);
            assertThat(server.log()).contains("resque-scheduler: bad: ");
            assertThat(place.ledger().count("hook", "HookedJob")).isPositive();

            place.ruby("set", "-r" + APP, "-e", NEW);
            place.await("the new one", () -> runs(place, "n") > 0);
            assertThat(cron(place)).contains("app:pulse", "app:kept", "app:new", "every 1s");
            delay(place);
            place.await("the delayed one", () -> runs(place, "late") == 1);

            // From this moment on no time can be decided.
            assertThat(place.number("EVAL", SEIZE, "1", LOCK)).isEqualTo(1);
            long marked = mark(place);
            assertThat(cron(place, "run", "kept")).contains("kept");
            assertThat(mark(place)).isEqualTo(marked);
            assertThat(cron(place, "pause", "kept")).contains("is paused");
            place.number("DEL", LOCK);
            place.await("it goes on", () -> mark(place) > marked);

            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.number("EXISTS", LOCK)).isZero();
        }
    }

    /// `resque_cron_test.rb` has the same for single crash points, and is quick.
    @Test
    @Tag("long")
    void eachTimeIsEnqueuedAtMostOnceWhileServersAreKilled() {
        try (Workplace place = new Workplace(folder)) {
            Child first = run(place, Map.of(), "mri");
            place.await("it began", () -> mark(place) > 0);
            long begun = mark(place) - queued(place, "kept") * 1_000;
            Child second = run(place, Map.of(), "mri");
            second.awaitLog("working on");
            for (Child server : List.of(first, second)) {
                long before = queued(place, "kept");
                place.await("more", () -> queued(place, "kept") > before + 1);
                server.kill();
            }
            long before = queued(place, "kept");
            Child last = run(place, Map.of(), "mri");
            place.await("the last", () -> queued(place, "kept") > before + 1);
            last.signal("TERM");
            assertThat(last.awaitExit()).as(last::log).isZero();

            assertThat(queued(place, "kept") * 1_000).isLessThanOrEqualTo(mark(place) - begun);
        }
    }

    private static Child run(Workplace place, Map<String, String> environment, String runner) {
        String[] flags = {
            "run",
            "-r",
            APP.toString(),
            "--lease",
            "2",
            "--sweep",
            "0.5",
            "-c",
            "2",
            "--runner",
            runner,
            "--resque",
            "high,new",
            "--resque-namespace",
            "app"
        };
        return place.mawashi(environment, flags);
    }

    /// As `delayed_push` does.
    private static void delay(Workplace place) {
        String job = "{\"class\":\"NotedJob\",\"args\":[\"late\"],\"queue\":\"new\"}";
        place.number("RPUSH", "app:delayed:1000000000", job);
        place.number("SADD", "app:timestamps:" + job, "delayed:1000000000");
        place.number("ZADD", "app:delayed_queue_schedule", "1000000000", "1000000000");
    }

    private static String cron(Workplace place, String... words) {
        String[] all = Arrays.copyOf(new String[] {"cron"}, words.length + 1);
        System.arraycopy(words, 0, all, 1, words.length);
        Child command = place.mawashi(Map.of(), all);
        assertThat(command.awaitExit()).as(command::log).isZero();
        return command.log();
    }

    /// The last time of `kept` that was decided; 0 before it begins.
    private static long mark(Workplace place) {
        return place.strings("HVALS", "mw:{app}:cron").stream()
                .map(Payload::parse)
                .filter(mark -> String.valueOf(mark.text("note")).startsWith("every"))
                .map(mark -> mark.raw("tick"))
                .mapToLong(tick -> Long.parseLong(String.valueOf(tick)))
                .max()
                .orElse(0);
    }

    private static long runs(Workplace place, String jid) {
        return place.ledger().byJid("end").getOrDefault(jid, 0L);
    }

    private static long queued(Workplace place, String queue) {
        return place.number("LLEN", "app:queue:" + queue);
    }
}
