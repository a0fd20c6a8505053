package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.redis.CertificatesForTests;
import dev.mawashi.redis.HeldPort;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.SentinelsForTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers and commands that are given Sentinels in the place of a Redis, or files for TLS.
/// `faults.ElectedRedis` has elections under load, `RedisTlsIT` has bad certificates.
@Tag("stack")
final class RedisPlacesIT {
    private static final String APP = Programs.SCRIPTS.resolve("forward_app.rb").toString();

    private static final String ELSEWHERE = Programs.SCRIPTS.resolve("elsewhere_app.rb").toString();
    private static final String OTHER =
            "the app's own Sidekiq has another Redis than this server: ";
    private static final String UNASKED =
            "the Redis of the app's own Sidekiq cannot be asked whether it is this server's: ";

    @TempDir Path folder;

    @EachOf({"mri", "jruby"})
    void theAppsGemLooksThereToo(String runner) {
        try (Workplace place = new Workplace(folder);
                SentinelsForTests sentinels =
                        new SentinelsForTests(RedisAddress.parse(place.redisUrl()))) {
            place.pushJobs(3, "default", "ForwardJob", "[]");

            String log = logOfRun(place, runner, sentinels.url());

            assertThat(log).contains("Redis redis+sentinel://127.0.0.1:", "/main/0");
        }
    }

    /// The log of a server whose jobs use the app's own connections. MRI finds its gems by itself.
    private static String logOfRun(Workplace place, String runner, String url) {
        String[] flags = {"run", "-r", APP, "--runner", runner, "-c", "2", "--redis", url};
        boolean isJruby = runner.equals("jruby");
        Child server = place.mawashi(isJruby ? Workplace.DEBIAN_GEMS : Workplace.NO_GEMS, flags);
        place.await("all", () -> place.ledger().count("end", "PlainJob") == 3);
        assertThat(place.number("INCRBY", "forwarded", "0")).isEqualTo(3);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        return server.log();
    }

    @EachOf({"mri, ca_file=%s/ca.crt", "mri, verify_mode=none", "jruby, ca_file=%s/ca.crt"})
    void filesOfTlsAreTheAppsToo(String runner, String options) throws Exception {
        CertificatesForTests files = new CertificatesForTests(folder).authority("ca");
        files.signed("redis", "ca", 30, "IP:127.0.0.1");
        try (HeldPort port = new HeldPort();
                Workplace place = new Workplace(folder, files.redis(port, "redis", "ca"))) {
            place.pushJobs(3, "default", "ForwardJob", "[]");
            String url = "rediss://127.0.0.1:" + port.number() + "/0?" + options.formatted(folder);

            String log = logOfRun(place, runner, url);

            boolean isWarned = log.contains("the certificate of Redis is not verified");
            assertThat(isWarned).isEqualTo(options.startsWith("verify_mode"));
        }
    }

    @Test
    void aCommandFindsTheMasterOrSaysWhoDoesNotKnowIt() {
        try (Workplace place = new Workplace(folder);
                SentinelsForTests sentinels =
                        new SentinelsForTests(RedisAddress.parse(place.redisUrl()))) {
            place.pushJobs(3, "default", "ForwardJob", "[]");

            Child stats = place.mawashi(Map.of("REDIS_URL", sentinels.url()), "stats", "--json");
            assertThat(stats.awaitExit()).as(stats::log).isZero();
            assertThat(stats.log()).contains("\"enqueued\":3");

            String wrong = sentinels.url().replace("/main/", "/other/");
            Child refused = place.mawashi(Map.of(), "stats", "--redis", wrong);
            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.log()).contains("knows no master of this name");
        }
    }

    /// By the password of its user, which a message must not show. OwnRedisIT has servers that take
    /// it.
    @EachOf({"mri, gem", "jruby, shim", "jruby, gem", "fork, gem"})
    void anAppThatNamesAnotherDatabaseIsWarnedOfOnce(String runner, String api) {
        try (Workplace place = new Workplace(folder)) {
            String url = place.redisUrl();
            String own = url.replace("//", "//default:secret@").replaceAll("/0$", "/1");
            String[] flag = api.equals("gem") ? new String[] {"--redis", url} : new String[0];

            String log = logOfApp(place, runner, api, "{\"url\":\"" + own + "\"}", flag);

            assertThat(log).containsOnlyOnce(OTHER).doesNotContain("secret@", UNASKED);
            assertThat(log)
                    .contains(OTHER + url.replaceAll("/0$", "/1") + ", the server " + url)
                    .contains("(from " + (api.equals("gem") ? "--redis)" : "REDIS_URL)"));
            assertThat(place.strings("KEYS", "mw:place:*")).isEmpty();
        }
    }

    /// Long: a server for a line that is not there.
    @Tag("long")
    @EachOf({"name", "socket", "refused", "away"})
    void theSameRedisUnderAnotherNameIsNone(String way) {
        Path socket = folder.resolve("s");
        try (Workplace place = new Workplace(folder, "--unixsocket", socket.toString())) {
            place.number("ACL", "SETUSER", "app", "on", ">pw", "~queue:*", "+@all");
            String url = place.redisUrl();
            String own =
                    switch (way) {
                        case "name" -> "\"url\":\"" + url.replace("127.0.0.1", "localhost") + "\"";
                        case "socket" -> "\"path\":\"" + socket + "\"";
                        case "refused" -> "\"url\":\"" + url.replace("//", "//app:pw@") + "\"";
                        default -> "\"url\":\"redis://:pw@127.0.0.1:1/0\"";
                    };

            String[] flag = way.equals("away") ? new String[] {"--redis", url} : new String[0];

            String log = logOfApp(place, "mri", "gem", "{" + own + "}", flag);

            assertThat(log).doesNotContain(OTHER, "pw@", "config.redis");
            if (way.equals("away")) {
                assertThat(log)
                        .containsOnlyOnce(UNASKED)
                        .contains("CannotConnectError", "127.0.0.1:1");
            } else {
                assertThat(log).doesNotContain(UNASKED);
            }
        }
    }

    /// The log of a server on which one job has run.
    private static String logOfApp(
            Workplace place, String runner, String api, String own, String... flags) {
        place.pushJobs(1, "default", "PlainJob", "[]");
        Map<String, String> environment = new HashMap<>(Map.of("OWN_REDIS", own));
        if (api.equals("shim")) {
            environment.put("REDIS_LIB", redisLibrary());
        } else if (runner.equals("jruby")) {
            environment.putAll(Workplace.DEBIAN_GEMS);
        }
        List<String> words = new ArrayList<>(List.of("run", "-r", ELSEWHERE));
        words.addAll(List.of("--runner", runner, "-c", "2"));
        words.addAll(List.of(flags));
        Child server = place.mawashi(environment, words.toArray(String[]::new));
        place.await("all", () -> place.ledger().count("end", "PlainJob") == 1);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        return server.log();
    }

    /// Of an older Debian redis, of a newer one redis-client with its pool.
    private static String redisLibrary() {
        Path gems = Path.of("/usr/share/rubygems-integration/all/gems");
        String names = "{redis,redis-client,connection_pool}-[0-9]*";
        try (DirectoryStream<Path> found = Files.newDirectoryStream(gems, names)) {
            List<String> folders = new ArrayList<>();
            found.forEach(gem -> folders.add(gem.resolve("lib").toString()));
            return String.join(":", folders);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
