package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// Servers whose Redis is at a Unix socket, in a database that older redis gems do not take from a
/// URL, with a user.
@Tag("stack")
final class UnixSocketRedisIT {
    private static final String APP = Programs.SCRIPTS.resolve("forward_app.rb").toString();
    private static final String JOB = "{\"class\":\"%s\",\"args\":[],\"jid\":\"%s\"}";

    @TempDir Path folder;

    @EachOf({"mri, gem", "jruby, shim", "jruby, gem", "fork, gem"})
    void theAppsOwnConnectionsAreThereToo(String runner, String api) {
        Path socket = folder.resolve("s");
        String app = api.equals("gem") ? APP : Workplace.APP;
        String jobClass = api.equals("gem") ? "ForwardJob" : "PlainJob";
        String[] options = {
            "--unixsocket", socket.toString(), "--user", "app", "on", ">p@ss", "~*", "&*", "+@all"
        };
        String url = "unix://app:p%40ss@" + socket + "?db=1";
        try (Workplace place = new Workplace(folder, options);
                RedisConnection redis = connection(url)) {
            push(redis, jobClass, "first");
            String[] flags = {"run", "-r", app, "--runner", runner, "-c", "2"};
            Child server = place.mawashi(environment(url, runner, api), flags);
            place.await("it ran", () -> place.ledger().count("end", "PlainJob") == 1);
            assertThat(redis.call("EXISTS", "forwarded")).isEqualTo(api.equals("gem") ? 1L : 0L);
            assertThat(place.strings("KEYS", "mw:place:*")).isEmpty();
            assertThat(place.strings("KEYS", "queue:*")).isEmpty();

            place.killRedis();
            place.startRedis();
            push(redis, "PlainJob", "second");
            place.await("it ran", () -> place.ledger().count("end", "PlainJob") == 2);
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log())
                    .contains("Redis unix://" + socket + "?db=1")
                    .doesNotContain("p@ss", "p%40ss", "the app's own Sidekiq");
        }
    }

    private static RedisConnection connection(String url) {
        return new RedisConnection(RedisAddress.parse(url), "test", Duration.ofSeconds(30));
    }

    /// Once the connection leads somewhere again.
    private static void push(RedisConnection redis, String jobClass, String jid) {
        Eventually.until(
                "a Redis",
                () -> {
                    try {
                        redis.call("PING");
                        return true;
                    } catch (RedisFailure _) {
                        return false;
                    }
                });
        redis.call("SADD", "queues", "default");
        redis.call("LPUSH", "queue:default", JOB.formatted(jobClass, jid));
    }

    private static Map<String, String> environment(String url, String runner, String api) {
        Map<String, String> environment = new HashMap<>(Map.of("REDIS_URL", url));
        if (runner.equals("jruby") && api.equals("gem")) {
            environment.putAll(Workplace.DEBIAN_GEMS);
        }
        return environment;
    }
}
