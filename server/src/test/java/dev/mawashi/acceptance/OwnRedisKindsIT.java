package dev.mawashi.acceptance;

import static dev.mawashi.acceptance.OwnRedisIT.TAKEN;
import static dev.mawashi.acceptance.OwnRedisIT.awaitForwarded;
import static dev.mawashi.acceptance.OwnRedisIT.cache;
import static dev.mawashi.acceptance.OwnRedisIT.end;
import static dev.mawashi.acceptance.OwnRedisIT.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.redis.CertificatesForTests;
import dev.mawashi.redis.HeldPort;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.redis.SentinelsForTests;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that work in a Redis whose login, files of TLS or kind the app's own `config.redis`
/// alone names. Long: a server each; AppPlaceTest has each form, RedisPlacesIT servers with TLS and
/// Sentinels.
@Tag("stack")
@Tag("long")
final class OwnRedisKindsIT {
    @TempDir Path folder;

    /// As managed ones have it: a URL in the variable, and what it lacks in the app's settings.
    @Test
    void aLoginThatTheAppAloneHasIsTaken() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(2, "default", "ForwardJob", "[]");
            place.bytes("CONFIG", "SET", "requirepass", "secret");
            String own = "{\"url\":\"" + place.redisUrl() + "\",\"password\":\"secret\"}";

            Child server = run(place, "mri", place.redisUrl(), own);
            awaitForwarded(place, 2);

            assertThat(server.log()).contains(TAKEN).doesNotContain("secret");
            end(server);
        }
    }

    @EachOf({"mri, 'ca_file':'%s/ca.crt'", "mri, 'verify_mode':0", "jruby, 'ca_file':'%s/ca.crt'"})
    void filesOfTlsThatTheAppAloneNamesAreTaken(String runner, String params) throws Exception {
        CertificatesForTests files = new CertificatesForTests(folder).authority("ca");
        files.signed("redis", "ca", 30, "IP:127.0.0.1");
        try (HeldPort port = new HeldPort();
                Workplace place = new Workplace(folder, files.redis(port, "redis", "ca"))) {
            place.pushJobs(2, "default", "ForwardJob", "[]");
            String url = "rediss://127.0.0.1:" + port.number() + "/0";
            String own =
                    "{\"url\":\"%s\",\"ssl_params\":{%s}}"
                            .formatted(url, params.replace('\'', '"').formatted(folder));

            Child server = run(place, runner, url, own);
            awaitForwarded(place, 2);

            assertThat(server.log().contains("is not verified (verify_mode in config.redis)"))
                    .isEqualTo(params.contains("verify_mode"));
            end(server);
        }
    }

    @EachOf({"mri, sentinels", "jruby, sentinels", "mri, socket"})
    void placesOfOtherKindsAreTaken(String runner, String kind) {
        Path socket = folder.resolve("s");
        try (Workplace place = new Workplace(folder, "--unixsocket", socket.toString());
                RedisServerForTests cache = cache();
                SentinelsForTests sentinels =
                        new SentinelsForTests(RedisAddress.parse(place.redisUrl()))) {
            place.pushJobs(2, "default", "ForwardJob", "[]");
            String own =
                    kind.equals("socket")
                            ? "{\"path\":\"" + socket + "\"}"
                            : "{\"url\":\"redis://main/0\",\"sentinels\":[%s]}"
                                    .formatted(places(sentinels));

            Child server = run(place, runner, cache.url(), own);
            awaitForwarded(place, 2);

            assertThat(server.log())
                    .contains(
                            TAKEN
                                    + (kind.equals("socket")
                                            ? "unix://" + socket
                                            : "redis+sentinel://127.0.0.1:"));
            end(server);
        }
    }

    private static String places(SentinelsForTests sentinels) {
        return Stream.of(sentinels.places().split(",", -1))
                .map(place -> place.split(":", -1))
                .map(place -> "{\"host\":\"%s\",\"port\":%s}".formatted(place[0], place[1]))
                .collect(Collectors.joining(","));
    }
}
