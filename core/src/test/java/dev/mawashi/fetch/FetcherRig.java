package dev.mawashi.fetch;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Fetchers on a real Redis, the threads that wait for them, and what is parked for them there.
abstract class FetcherRig {
    static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration END_MAX = Duration.ofSeconds(30);

    final CountingBroker broker;
    final RedisConnection redis;
    final Pauses pauses = new Pauses();
    final AtomicInteger pokes = new AtomicInteger();
    final List<Thread> waiters = new ArrayList<>();
    private final Map<String, Epoch> epochs = new HashMap<>();

    /// Whether jobs that arrive begin; else they are left to the next claim.
    volatile boolean areBegun;

    /// Those that have.
    final Queue<Lease> begun = new ConcurrentLinkedQueue<>();

    private final List<Fetcher> fetchers = new ArrayList<>();
    private final RedisServerForTests server;

    FetcherRig(RedisServerForTests server) {
        this.server = server;
        broker = newBroker();
        redis = server.connect();
    }

    @BeforeEach
    void emptyServer() {
        server.flushAll();
    }

    @AfterEach
    void close() {
        fetchers.forEach(Fetcher::stop);
        for (Thread waiter : waiters) {
            awaitEnd(waiter);
        }
        fetchers.forEach(Fetcher::close);
        redis.close();
    }

    /// Another process's.
    final CountingBroker newBroker() {
        return new CountingBroker(new RedisBroker(server.address(), DeadLimits.DEFAULT));
    }

    Fetcher fetcher(String owner, List<String> queues) {
        return fetcher(broker, owner, queues);
    }

    Fetcher fetcher(CountingBroker broker, String owner, List<String> queues) {
        Epoch epoch = new Epoch(owner);
        epochs.put(owner, epoch);
        try (var leasing = broker.leasing()) {
            leasing.open(epoch.owner(), queues, LONG);
        }
        epoch.leasedUntil(System.nanoTime() + LONG.toNanos());
        Fetcher fetcher =
                new Fetcher(
                        broker,
                        new OpenQueues(QueueOrder.strict(queues), pauses),
                        epoch,
                        new Hands());
        fetchers.add(fetcher);
        return fetcher;
    }

    private final class Hands implements Receiver {
        @Override
        public boolean begin(Lease lease, Runnable onBegun) {
            if (areBegun) {
                onBegun.run();
                begun.add(lease);
            }
            return areBegun;
        }

        @Override
        public void arrived() {
            pokes.incrementAndGet();
        }
    }

    Epoch epoch(String owner) {
        return Objects.requireNonNull(epochs.get(owner));
    }

    /// Waits for work on a thread of its own, as a claimer with an idle slot does.
    Thread waiting(Fetcher fetcher) {
        Thread waiter = Thread.ofVirtual().name("mawashi-claim-1").start(fetcher::await);
        waiters.add(waiter);
        return waiter;
    }

    static void awaitEnd(Thread waiter) {
        Eventually.until("the wait ends", END_MAX, () -> !waiter.isAlive());
    }

    void awaitParked(int connections) {
        Eventually.until(
                connections + " are parked",
                () -> {
                    byte[] info = (byte[]) redis.call("INFO", "clients");
                    return info != null
                            && new String(info, StandardCharsets.UTF_8)
                                    .contains("blocked_clients:" + connections);
                });
    }

    static List<String> texts(Claiming.Claimed claimed) {
        return claimed.leases().stream()
                .map(Lease::payload)
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }
}
