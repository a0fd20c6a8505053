package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Queues that are empty cost nothing, and none of ten thousand is forgotten.
class TenThousandQueuesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    /// Nothing recovers here what a lease that lapses on a busy machine leaves behind.
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final List<String> QUEUES =
            IntStream.range(0, 10_000).mapToObj(i -> "q" + i).toList();

    /// What one claim looks at in the worst case: the length and the arrivals of each queue.
    private static final long LENGTHS_MAX = 2 * (Arrivals.PARKED_MAX + Rest.NAMED_MAX);

    private final RedisConnection redis = SERVER.connect();
    private final FaultProxy proxy = new FaultProxy(SERVER.address());
    private final RedisBroker broker = new RedisBroker(proxy.address(), DeadLimits.DEFAULT);
    private final RecordedEvents events = new RecordedEvents();
    private final Epoch epoch = new Epoch("me");
    private final LeaseKeeper keeper =
            new LeaseKeeper(
                    new RedisBroker(SERVER.address(), DeadLimits.DEFAULT).leasing(),
                    epoch,
                    QueueOrder.strict(QUEUES).parked(),
                    new LeaseSettings(LEASE, LEASE),
                    _ -> {},
                    events,
                    new Outage(events, System::nanoTime));
    private final List<Fetcher> fetchers = new ArrayList<>();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        keeper.start();
    }

    @AfterEach
    void close() {
        fetchers.forEach(Fetcher::close);
        keeper.stop(LONG);
        proxy.close();
        redis.close();
    }

    private Fetcher fetcher(QueueOrder order) {
        Fetcher fetcher =
                new Fetcher(
                        broker, new OpenQueues(order, new Pauses()), epoch, new LeavingReceiver());
        fetchers.add(fetcher);
        return fetcher;
    }

    private Fetcher watching(QueueOrder order) {
        Fetcher fetcher = fetcher(order);
        Eventually.until("all queues are watched", () -> tracked() >= QUEUES.size() - 32);
        return fetcher;
    }

    private long tracked() {
        return figure("tracking_total_keys:(\\d+)", "stats");
    }

    private long calls(String command) {
        return figure("cmdstat_" + command + ":calls=(\\d+)", "commandstats");
    }

    private long figure(String pattern, String section) {
        byte[] info = (byte[]) Objects.requireNonNull(redis.call("INFO", section));
        Matcher found = Pattern.compile(pattern).matcher(new String(info, StandardCharsets.UTF_8));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private void pushToAll(List<String> queues) {
        for (String queue : queues) {
            redis.queue(words("LPUSH", "queue:" + queue, queue));
        }
        redis.flush();
    }

    private static byte[][] words(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        return command;
    }

    private List<String> claimAll(Fetcher fetcher, int wanted) {
        List<String> claimed = new ArrayList<>();
        Eventually.until(
                wanted + " are claimed",
                () -> {
                    fetcher.claim(Fetcher.CLAIM_MAX).leases().stream()
                            .map(Lease::queue)
                            .forEach(claimed::add);
                    return claimed.size() >= wanted;
                });
        return claimed;
    }

    @Test
    void aClaimLooksAtNoneThatIsEmptyAndAJobInTheLastOneIsFound() throws InterruptedException {
        Fetcher fetcher = watching(QueueOrder.strict(QUEUES));
        long lengths = calls("llen");
        assertThat(fetcher.claim(5).leases()).isEmpty();
        assertThat(calls("llen") - lengths).isEqualTo(2 * Arrivals.PARKED_MAX);

        Thread waiter = Thread.ofVirtual().start(fetcher::await);
        redis.call("LPUSH", "queue:q9999", "1");

        assertThat(waiter.join(LONG)).isTrue();
        assertThat(claimAll(fetcher, 1)).containsExactly("q9999");
    }

    @Test
    void aLostClaimIsGivenUpInTheQueuesThatItNamedOnly() {
        Fetcher fetcher = watching(QueueOrder.strict(QUEUES));
        redis.call("LPUSH", "queue:q9999", "1");
        claimAll(fetcher, 1);
        redis.call("LPUSH", "queue:q9999", "2", "3");
        Eventually.until(
                "a claim is lost that took both",
                () -> {
                    // The next burst may be another connection's: that of the watch.
                    proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
                    try {
                        fetcher.claim(5).leases().forEach(_ -> pushToAll(List.of("q9999")));
                        return false;
                    } catch (RedisFailure _) {
                        return Long.valueOf(0).equals(redis.call("LLEN", "queue:q9999"));
                    }
                });
        long scripts = calls("evalsha");

        Eventually.until(
                "they come with the next one", () -> fetcher.claim(5).leases().size() == 2);

        assertThat(calls("evalsha") - scripts).isLessThan(4 * LENGTHS_MAX);
    }

    @Test
    void inEachOrderEveryQueueGetsItsTurnAndNoClaimNamesMany() {
        LinkedHashMap<String, Integer> weights = new LinkedHashMap<>();
        QUEUES.forEach(queue -> weights.put(queue, 1));
        for (QueueOrder order : List.of(QueueOrder.strict(QUEUES), new QueueOrder(weights))) {
            Fetcher fetcher = watching(order);
            pushToAll(QUEUES);

            List<String> claimed = claimAll(fetcher, QUEUES.size());

            assertThat(Set.copyOf(claimed))
                    .isEqualTo(new HashSet<>(QUEUES))
                    .hasSize(claimed.size());
            fetcher.close();
        }
    }

    @Test
    void strictPriorityHoldsAmongThoseThatHoldJobs() {
        Fetcher fetcher = watching(QueueOrder.strict(QUEUES));
        List<String> some = List.of("q9000", "q40", "q5000");
        pushToAll(some);
        assertThat(claimAll(fetcher, 3)).containsExactlyInAnyOrderElementsOf(some);

        pushToAll(some);
        Eventually.until("all are known of", () -> fetcher.restWithJobs().containsAll(some));

        assertThat(fetcher.claim(3).leases())
                .extracting(Lease::queue)
                .containsExactly("q40", "q5000", "q9000");
    }

    @Test
    void leasesAreKeptOnlyWhereThereIsWorkAndNothingIsLeftAfterAStop() {
        Fetcher fetcher = watching(QueueOrder.strict(QUEUES));
        List<String> some = QUEUES.subList(1_000, 1_200);
        pushToAll(some);
        assertThat(claimAll(fetcher, some.size())).hasSize(some.size());
        // As if they were done, but for one.
        for (String queue : some.subList(1, some.size())) {
            redis.call("DEL", "mw:{queue:" + queue + "}:inflight:me#0");
        }

        Eventually.until(
                "the leases of the others are given up",
                () ->
                        Long.valueOf(Arrivals.PARKED_MAX + 1)
                                .equals(redis.call("SCARD", "mw:queues")));
        assertThat(redis.call("ZCARD", "mw:{queue:q1000}:leases")).isEqualTo(1L);
        redis.call("LPUSH", "queue:q1001", "again");
        assertThat(claimAll(fetcher, 1)).containsExactly("q1001");

        fetcher.close();
        long scripts = calls("evalsha");
        keeper.stop(LONG);

        // Two for each queue under a lease. Those that were emptied are told of as changed, so the
        // claim of the last job named them too, and had leases on them opened again.
        assertThat(calls("evalsha") - scripts)
                .isLessThan(2L * (Arrivals.PARKED_MAX + some.size()) + 20);
        assertThat((List<?>) redis.call("KEYS", "mw:*")).isEmpty();
        assertThat(redis.call("LLEN", "queue:q1000")).isEqualTo(1L);
        assertThat(redis.call("LLEN", "queue:q1001")).isEqualTo(1L);
    }

    @Test
    void renewingLeasesTakesAFewCommands() {
        fetcher(QueueOrder.strict(QUEUES));
        long renewals = calls("evalsha");
        long added = calls("zadd");

        Eventually.until("it was renewed", () -> calls("evalsha") >= renewals + 3);

        assertThat(calls("zadd") - added).isLessThan(20 * Arrivals.PARKED_MAX);
    }
}
