package dev.mawashi.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FreshRedis;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueueHeadsIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_lindex:calls=(\\d+)");

    private final RedisConnection own = REDIS.server().connect();
    private Instant now = Instant.ofEpochSecond(1_795_225_700L);
    private final QueueHeads heads = new QueueHeads(own, () -> now);

    @BeforeEach
    void countAnew() {
        REDIS.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        own.close();
    }

    private static void push(String queue, String job) {
        REDIS.call("RPUSH", "queue:" + queue, job);
    }

    private String head(String queue) {
        byte[] head = heads.of(List.of(queue)).get(queue);
        return FreshRedis.text(head);
    }

    /// How often Redis looked at an entry of a list.
    private static long looks() {
        Matcher found = SCRIPTS.matcher(REDIS.text("INFO", "commandstats"));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    @Test
    void aSmallJobIsLookedAtEachTime() {
        push("q", "first");
        assertThat(head("q")).isEqualTo("first");
        push("q", "second");

        assertThat(head("q")).isEqualTo("second");
        assertThat(heads.of(List.of("none"))).isEmpty();
    }

    @Test
    void ofALargeJobTheEndIsReadAndKeptForATimeThatGrowsWithItsSize() {
        push("q", "x".repeat(2 << 20) + "end of the first");
        assertThat(head("q")).hasSize(1_000).endsWith("end of the first");
        push("q", "second");

        now = now.plus(Duration.ofMillis(7_900));
        assertThat(head("q")).endsWith("end of the first");
        assertThat(looks()).isEqualTo(1);
        now = now.plus(Duration.ofMillis(200));
        assertThat(head("q")).isEqualTo("second");
        push("q", "third");
        assertThat(head("q")).isEqualTo("third");
    }

    @Test
    void largeJobsOfManyQueuesAreEachLookedAtOnce() {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            queues.add("q" + i);
            push("q" + i, i % 3 == 0 ? "x".repeat(1 << 20) + i : "small" + i);
        }
        Map<String, byte[]> first = heads.of(queues);
        assertThat(first).hasSize(30);
        assertThat(looks()).isEqualTo(30);

        Map<String, byte[]> second = heads.of(queues);
        assertThat(second).containsExactlyInAnyOrderEntriesOf(first);
        assertThat(looks()).isEqualTo(50);
    }
}
