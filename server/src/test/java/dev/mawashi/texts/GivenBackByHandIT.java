package dev.mawashi.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Broker;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The lines of the guide that give back, without Mawashi, the jobs of a process that was killed.
final class GivenBackByHandIT {
    private static final String UNPACKS =
            "unzip -jo /usr/share/mawashi/lib/mawashi-core-*.jar 'dev/mawashi/broker/*.lua' -d scripts\n";

    /// To be called once more where a job had just arrived.
    private static final String LAST = "redis-cli --eval recover.lua";

    private static final Pattern LINE = Pattern.compile("(?m)^    (.*\n)");
    private static final String KEYS = "mw:{queue:default}:";
    private static final String OWNER = "web-1:4711:0f3a1c2b9d8e";

    @TempDir Path folder;

    @Test
    void theGuidesLinesGiveBackSuspectsAndWhatAProcessHad() throws Exception {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect()) {
            redis.call("RPUSH", "queue:default", "waiting");
            redis.call("RPUSH", KEYS + "suspects", "suspect");
            redis.call("ZADD", KEYS + "leases", "9999999999999", OWNER);
            redis.call(
                    "HSET", KEYS + "inflight:" + OWNER, "7", "older", "8", "newer", "floor", "3");
            redis.call("RPUSH", KEYS + "arrivals:" + OWNER, "arrived");
            unpack("give_back", "recover", "crash_id", "need", "whole");

            String printed = bash(server.url());

            List<?> queue = (List<?>) redis.call("LRANGE", "queue:default", "0", "-1");
            assertThat(
                            Objects.requireNonNull(queue).stream()
                                    .map(job -> new String((byte[]) job, UTF_8)))
                    .as(printed)
                    .containsExactly("waiting", "suspect", "newer", "older", "arrived");
            assertThat(redis.call("EXISTS", KEYS + "leases", KEYS + "inflight:" + OWNER))
                    .isEqualTo(0L);
        }
    }

    private void unpack(String... scripts) throws IOException {
        Path unpacked = Files.createDirectory(folder.resolve("scripts"));
        for (String script : scripts) {
            try (InputStream lua = Broker.class.getResourceAsStream(script + ".lua")) {
                Files.copy(Objects.requireNonNull(lua), unpacked.resolve(script + ".lua"));
            }
        }
    }

    private String bash(String url) throws IOException, InterruptedException {
        String page = Texts.read(Texts.GUIDE.resolve("migrate-from-sidekiq.md"));
        String lines = Texts.groups(LINE, page).collect(Collectors.joining());
        assertThat(lines).contains(UNPACKS);
        String steps = lines.substring(lines.indexOf(UNPACKS) + UNPACKS.length());
        String script =
                "set -eu\nredis-cli() { command redis-cli -u '%s' \"$@\"; }\n%s\n%s"
                        .formatted(url, steps, steps.substring(steps.indexOf(LAST)));
        Process bash =
                new ProcessBuilder("bash", "-c", script.replace("OWNER", OWNER))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(bash.getInputStream().readAllBytes(), UTF_8);
        assertThat(bash.waitFor()).as(printed).isZero();
        return printed;
    }
}
