package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.redis.HeldPort;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that work in the Redis of the app's own `config.redis`, since no flag names another. The
/// variables name one without jobs. AppPlaceTest has the forms of these settings, OwnRedisKindsIT
/// servers that take some of them, RedisPlacesIT what a server says of an app's Redis that it does
/// not take.
@Tag("stack")
final class OwnRedisIT {
    private static final String ELSEWHERE = Programs.SCRIPTS.resolve("elsewhere_app.rb").toString();
    static final String TAKEN = "Redis is the one of the app's config.redis, ";

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void itIsTakenInPlaceOfTheOneInTheEnvironment(String runner) {
        try (Workplace place = new Workplace(folder);
                RedisServerForTests cache = cache();
                RedisConnection there = cache.connect()) {
            place.pushJobs(3, "default", "ForwardJob", "[]");
            String own = place.redisUrl().replace("//", "//default:secret@");

            Child server =
                    run(place, runner, cache.url(), url(own), "--health", "127.0.0.1:0", "-c", "2");
            awaitForwarded(place, 3);

            assertThat(server.log())
                    .containsOnlyOnce(
                            TAKEN
                                    + place.redisUrl()
                                    + ", in place of "
                                    + cache.url()
                                    + " (from REDIS_URL)")
                    .contains("Redis " + place.redisUrl() + "\n")
                    .doesNotContain("secret@", "when it is full", "has another Redis");
            assertThat(place.strings("SMEMBERS", "processes")).hasSize(1);
            assertThat(Workplace.text(place.bytes("CLIENT", "LIST")))
                    .as("what jobs enqueue goes through the server")
                    .contains(" name=mawashi-enqueue ");
            end(server);
            assertThat(place.strings("KEYS", "mw:place:*")).isEmpty();
            assertThat(there.call("DBSIZE")).isEqualTo(0L);
        }
    }

    /// It may throw keys away, as no Redis with jobs should.
    static RedisServerForTests cache() {
        return new RedisServerForTests("--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru");
    }

    static String url(String url) {
        return "{\"url\":\"" + url + "\"}";
    }

    /// @param variable the value of REDIS_URL
    /// @param own the app's `config.redis`
    static Child run(Workplace place, String runner, String variable, String own, String... flags) {
        return place.mawashi(environment(runner, variable, own), words(runner, flags));
    }

    private static Map<String, String> environment(String runner, String variable, String own) {
        Map<String, String> environment = new HashMap<>();
        if (runner.equals("jruby")) {
            environment.putAll(Workplace.DEBIAN_GEMS);
        }
        environment.put("REDIS_URL", variable);
        environment.put("OWN_REDIS", own);
        return environment;
    }

    private static String[] words(String runner, String... flags) {
        Stream<String> all = Stream.of("run", "-r", ELSEWHERE, "--runner", runner, "--sweep", "1");
        return Stream.concat(all, Stream.of(flags)).toArray(String[]::new);
    }

    /// Each `ForwardJob` has counted itself and enqueued a job by the app's own connections.
    static void awaitForwarded(Workplace place, int count) {
        place.await("all", () -> place.ledger().count("end", "PlainJob") == count);
        assertThat(place.number("INCRBY", "forwarded", "0")).isEqualTo(count);
    }

    static void end(Child server) {
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
    }

    /// Long: `itIsTakenInPlaceOfTheOneInTheEnvironment` is the quick one.
    @Tag("long")
    @Test
    void nobodyWaitsForARedisThatNobodyHasNamed() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(2, "default", "ForwardJob", "[]");
            List<String> command = new ArrayList<>(List.of("env", "-u", "REDIS_URL"));
            command.addAll(Programs.mawashiCommand(words("mri")));

            Child server =
                    place.start(
                            "mawashi",
                            command,
                            environment("mri", "", url(place.redisUrl().replaceAll("/0$", ""))));
            awaitForwarded(place, 2);

            assertThat(server.log())
                    .contains("in place of redis://localhost:6379/0 (from default)")
                    .doesNotContain("waiting for Redis");
            end(server);
        }
    }

    /// The app's is killed before the server looks, and comes back. Long: `WebPortIT` waits for a
    /// Redis too.
    @Tag("long")
    @Test
    void oneThatIsAwayIsWaitedFor() {
        try (Workplace place = new Workplace(folder);
                RedisServerForTests cache = cache()) {
            place.killRedis();

            Child server = run(place, "mri", cache.url(), url(place.redisUrl()));
            server.awaitLog(TAKEN + place.redisUrl(), "waiting for Redis");
            place.startRedis();
            server.awaitLog("working on");

            end(server);
        }
    }

    @Test
    void whatCannotBeTakenEndsTheStart() {
        try (Workplace place = new Workplace(folder)) {
            String own =
                    "{\"url\":\"rediss://:secret@127.0.0.1:1/0\",\"ssl_params\":{\"ca_path\":\"/\"}}";

            Child server = run(place, "mri", place.redisUrl(), own);

            assertThat(server.awaitExit()).as(server::log).isOne();
            assertThat(server.log())
                    .containsOnlyOnce(
                            "the app's config.redis names another Redis than "
                                    + place.redisUrl()
                                    + " (from REDIS_URL), and the server cannot take it: ssl_params"
                                    + " has ca_path: start with --redis and the URL of the app's")
                    .doesNotContain("secret@");
        }
    }

    @Test
    void configSaysWhichOneItIs() {
        try (Workplace place = new Workplace(folder)) {
            String own = place.redisUrl().replaceAll("/0$", "/1");
            String[] words = {"config", "--load", "-r", ELSEWHERE, "--runner", "mri"};

            Child config = place.mawashi(environment("mri", place.redisUrl(), url(own)), words);

            assertThat(config.awaitExit()).as(config::log).isZero();
            assertThat(config.log()).containsPattern("redis +" + own + " +config.redis");
        }
    }

    /// The port is open before the app is loaded, and shows the Redis of the variable until then.
    @Test
    void thePageProbesAndMetricsTurnThereToo() throws Exception {
        Path gate = folder.resolve("gate");
        String waits = "sleep 0.02 until File.exist?('%s')\nload '%s'\n".formatted(gate, ELSEWHERE);
        Path app = Files.writeString(folder.resolve("waits.rb"), waits);
        try (Workplace place = new Workplace(folder);
                RedisServerForTests cache = cache();
                RedisConnection there = cache.connect();
                HeldPort port = new HeldPort();
                Caller caller = new Caller()) {
            there.call("SADD", "queues", "elsewhere");
            place.number("SADD", "queues", "unserved");
            place.number("LPUSH", "queue:unserved", "{}", "{}", "{}");
            String at = "127.0.0.1:" + port.number();
            String url = "http://" + at;
            String[] words = {"run", "-r", app + "", "--runner", "mri", "-c", "1", "--web", at};

            Child server =
                    place.mawashi(environment("mri", cache.url(), url(place.redisUrl())), words);
            server.awaitLog("the page, probes and metrics at " + url);
            assertThat(caller.get(url + "/queues").body()).contains("elsewhere");
            assertThat(caller.get(url + "/metrics").body()).contains("{queue=\"elsewhere\"}");
            assertThat(clients(there)).contains(" name=mawashi-web-1 ", " name=mawashi-metrics ");
            Files.createFile(gate);
            server.awaitLog(TAKEN, "working on");

            assertThat(caller.get(url + "/queues").body())
                    .contains("unserved")
                    .doesNotContain("elsewhere");
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_queue_depth{queue=\"unserved\"} 3.0")
                    .doesNotContain("elsewhere");
            place.await("it is ready", () -> caller.tells(url + "/health/ready", 200, "ok"));
            place.await("nothing is left", () -> !clients(there).contains(" name=mawashi-"));
            end(server);
        }
    }

    private static String clients(RedisConnection redis) {
        return Workplace.text((byte[]) redis.call("CLIENT", "LIST"));
    }

    /// Resque's jobs may be in the Redis of the variable. Long: a server of its own for one line of
    /// the log.
    @Tag("long")
    @Test
    void withResqueTheVariableCounts() {
        try (Workplace place = new Workplace(folder)) {
            String own = place.redisUrl().replaceAll("/0$", "/1");

            Child server =
                    run(place, "mri", place.redisUrl(), url(own), "--resque", "*", "-c", "1");
            server.awaitLog("working on");

            assertThat(server.log())
                    .contains("another Redis than this server: " + own, "start with --redis")
                    .doesNotContain(TAKEN);
            end(server);
        }
    }

    /// Long: two processes; `PoisonIT` has a suspect.
    @Tag("long")
    @Test
    void aSuspectRunsThereToo() {
        try (Workplace place = new Workplace(folder);
                RedisServerForTests cache = cache()) {
            place.number("SADD", "mw:queues", "default");
            place.number(
                    "RPUSH",
                    "mw:{queue:default}:suspects",
                    "{\"class\":\"ForwardJob\",\"args\":[],\"jid\":\"alone\",\"created_at\":1795225660717}");

            Child server = run(place, "mri", cache.url(), url(place.redisUrl()), "-c", "1");
            awaitForwarded(place, 1);

            server.awaitLog("run alone in process", "running suspects of");
            end(server);
        }
    }

    /// On mri with new children, on jruby with a new process. Long: two restarts;
    /// `itIsTakenInPlaceOfTheOneInTheEnvironment` is the quick one.
    @Tag("long")
    @EachOf({"mri", "jruby"})
    void newCodeWorksThereTooAndOnMriNowhereElse(String runner) {
        try (Workplace place = new Workplace(folder);
                RedisServerForTests cache = cache()) {
            Releases app = new Releases(place, config(place.redisUrl()));
            Child server =
                    app.serverWith(
                            environment(runner, cache.url(), ""), "--runner", runner, "-c", "1");
            if (runner.equals("mri")) {
                app.release(config(cache.url()));
                assertThat(Releases.restart(place, 1).log())
                        .contains("the new code has another Redis in config.redis");
            }
            app.release(config(place.redisUrl().replace("//", "//default:changed@")));
            assertThat(Releases.restart(place, 0).log()).doesNotContain("failed");
            place.pushJobs(1, "new", "CodeJob", "[]");
            place.await("it runs", () -> place.ledger().count("end", "CodeJob") == 1);
            end(server);
        }
    }

    private static String config(String url) {
        return "Sidekiq.configure_server { |config| config.redis = { url: \"" + url + "\" } }";
    }
}
