package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Jobs in the hands of owners on a real Redis, more of them than one step gives back.
abstract class HeldJobs {
    static final Duration LONG = Duration.ofMinutes(5);
    static final List<String> QUEUES = List.of("q");

    /// Three steps.
    static final int JOBS = 2 * RedisRecovery.STEP_JOBS_MAX + 50;

    private static final Duration LAPSED = Duration.ofSeconds(-1);

    final RedisBroker broker;
    final RedisConnection redis;
    final RedisPlaces places;
    final Leasing leasing;
    private final RedisServerForTests server;

    HeldJobs(RedisServerForTests server) {
        this.server = server;
        broker = new RedisBroker(server.address(), DeadLimits.DEFAULT);
        redis = server.connect();
        places = new RedisPlaces(redis);
        leasing = broker.leasing();
    }

    @BeforeEach
    void empty() {
        server.flushAll();
    }

    @AfterEach
    void close() {
        leasing.close();
        redis.close();
    }

    static List<String> numbered(int jobs) {
        return IntStream.range(0, jobs).mapToObj(i -> "job" + i).toList();
    }

    static List<String> texts(List<byte[]> payloads) {
        return payloads.stream().map(one -> new String(one, StandardCharsets.UTF_8)).toList();
    }

    List<String> queued() {
        return texts(places.queued("q"));
    }

    /// An owner that has claimed these jobs.
    List<Lease> hold(String owner, List<String> jobs) {
        leasing.open(owner, QUEUES, LONG);
        try (Enqueuing enqueuing = broker.enqueuing();
                Claiming claiming = broker.claiming()) {
            enqueuing.push("q", jobs.stream().map(BrokerHands::bytes).toList());
            assertThat(enqueuing.flush()).isEmpty();
            List<Lease> leases = new ArrayList<>();
            while (leases.size() < jobs.size()) {
                leases.addAll(claiming.claim(QUEUES, owner, 1_000, 64 << 20).leases());
            }
            return leases;
        }
    }

    void lapse(String owner) {
        leasing.renew(owner, QUEUES, LAPSED);
    }

    long secondsToLive(String key) {
        return redis.call("TTL", key) instanceof Long seconds ? seconds : -2;
    }

    /// Those that ran: Redis refuses one once that it has yet to be sent.
    long scripts() {
        String stats =
                new String((byte[]) redis.call("INFO", "commandstats"), StandardCharsets.UTF_8);
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> count(line, "calls") - count(line, "failed_calls"))
                .sum();
    }

    private static long count(String line, String what) {
        Matcher found = Pattern.compile("[:,]" + what + "=(\\d+)").matcher(line);
        assertThat(found.find()).as(line).isTrue();
        return Long.parseLong(found.group(1));
    }
}
