package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.CountingBroker;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FetcherIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofMinutes(5);

    private final CountingBroker broker =
            new CountingBroker(new RedisBroker(SERVER.address(), DeadLimits.DEFAULT));
    private final RedisConnection redis = SERVER.connect();
    private final Pauses pauses = new Pauses();
    private final AtomicInteger pokes = new AtomicInteger();
    private final List<Fetcher> fetchers = new ArrayList<>();
    private final List<Thread> waiters = new ArrayList<>();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() throws InterruptedException {
        fetchers.forEach(Fetcher::stop);
        for (Thread waiter : waiters) {
            waiter.join();
        }
        fetchers.forEach(Fetcher::close);
        redis.close();
    }

    private Fetcher fetcher(String owner, List<String> queues) {
        Epoch epoch = new Epoch(owner);
        try (var leasing = broker.leasing()) {
            leasing.open(epoch.owner(), queues, LONG);
        }
        Fetcher fetcher =
                new Fetcher(
                        broker,
                        new OpenQueues(QueueOrder.strict(queues), pauses),
                        epoch,
                        pokes::incrementAndGet);
        fetchers.add(fetcher);
        return fetcher;
    }

    /// Waits for work on a thread of its own, as a claimer with an idle slot does.
    private Thread waiting(Fetcher fetcher) {
        Thread waiter = Thread.ofVirtual().name("mawashi-claim-1").start(fetcher::await);
        waiters.add(waiter);
        return waiter;
    }

    private void awaitParked(int connections) {
        Eventually.until(
                connections + " are parked",
                () -> {
                    byte[] info = (byte[]) redis.call("INFO", "clients");
                    return info != null
                            && new String(info, StandardCharsets.UTF_8)
                                    .contains("blocked_clients:" + connections);
                });
    }

    private static List<String> texts(Claiming.Claimed claimed) {
        return claimed.leases().stream()
                .map(Lease::payload)
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void oneOfSeveralParkedProcessesWakesForAJob() {
        List<Fetcher> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Fetcher fetcher = fetcher("p" + i, List.of("q"));
            all.add(fetcher);
            waiting(fetcher);
        }
        awaitParked(3);

        redis.call("LPUSH", "queue:q", "1");

        Eventually.until("one wakes", () -> all.stream().anyMatch(Fetcher::hasArrival));
        // Its parked thread says so after it has noted the arrival.
        Eventually.until("its waiter ends", () -> waiters.stream().anyMatch(w -> !w.isAlive()));
        Eventually.until("it is said", () -> pokes.get() > 0);
        assertThat(all.stream().filter(Fetcher::hasArrival)).hasSize(1);
        Fetcher woken = all.stream().filter(Fetcher::hasArrival).findFirst().orElseThrow();
        assertThat(texts(woken.claim(5))).containsExactly("1");
        assertThat(waiters.stream().filter(Thread::isAlive)).hasSize(2);
        assertThat(pokes).hasValue(1);
    }

    @Test
    void anArrivalWithoutAnIdleSlotIsGivenBackAndWakesAnother() {
        Fetcher busy = fetcher("busy", List.of("q", "other"));
        waiting(busy);
        awaitParked(2);
        redis.call("LPUSH", "queue:other", "first");
        Eventually.until("it wakes", busy::hasArrival);
        assertThat(texts(busy.claim(1))).containsExactly("first");
        redis.call("LPUSH", "queue:q", "1", "2");
        Eventually.until("the other parked connection took one", busy::hasArrival);
        Fetcher idle = fetcher("idle", List.of("q"));

        busy.giveBack();

        assertThat(busy.hasArrival()).isFalse();
        assertThat(redis.call("LLEN", "mw:{queue:q}:arrivals")).isEqualTo(0L);
        assertThat(texts(idle.claim(5))).containsExactly("1", "2");
    }

    @Test
    void whatWokeUsAndIsLeftOverIsGivenBackByTheClaim() {
        Fetcher fetcher = fetcher("me", List.of("first", "second"));
        waiting(fetcher);
        awaitParked(2);
        redis.call("LPUSH", "queue:second", "woke");
        Eventually.until("it wakes", fetcher::hasArrival);
        redis.call("RPUSH", "queue:first", "earlier");

        assertThat(texts(fetcher.claim(1))).containsExactly("earlier");

        assertThat(redis.call("LLEN", "queue:second")).isEqualTo(1L);
        assertThat(redis.call("LLEN", "mw:{queue:second}:arrivals")).isEqualTo(0L);
    }

    private void pushNumbers(int count) {
        String[] command = new String[2 + count];
        command[0] = "LPUSH";
        command[1] = "queue:q";
        for (int i = 0; i < count; i++) {
            command[2 + i] = Integer.toString(i);
        }
        redis.call(command);
    }

    @Test
    void whereTwoClaimsAreWantedTheSecondIsUnderWayWhenTheFirstHasCome() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        int most = Fetcher.CLAIM_MAX;
        pushNumbers(3 * most + 5);

        assertThat(texts(fetcher.claim(2 * most - 1))).hasSize(most).startsWith("0");
        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(fetcher.isDrained()).isFalse();
        List<String> rest = new ArrayList<>(texts(fetcher.claim(2 * most)));
        assertThat(fetcher.hasAsked()).isTrue();
        rest.addAll(texts(fetcher.claim(2 * most)));
        assertThat(fetcher.hasAsked()).isTrue();
        assertThat(fetcher.isDrained()).isFalse();
        rest.addAll(texts(fetcher.claim(most)));

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(fetcher.isDrained()).isTrue();
        assertThat(rest)
                .hasSize(2 * most + 5)
                .startsWith(Integer.toString(most))
                .endsWith(Integer.toString(3 * most + 4));
    }

    @Test
    void threeClaimsAreUnderWayAtMost() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        int most = Fetcher.CLAIM_MAX;
        pushNumbers(5 * most);
        List<String> all = new ArrayList<>();

        for (int taken = 3; taken <= 5; taken++) {
            all.addAll(texts(fetcher.claim(9 * most)));
            long held = (long) taken * most;
            Eventually.until(
                    held + " are in the in-flight store",
                    () ->
                            Long.valueOf(held)
                                    .equals(redis.call("HLEN", "mw:{queue:q}:inflight:me#0")));
        }
        all.addAll(texts(fetcher.claim(0)));
        all.addAll(texts(fetcher.claim(0)));

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(all)
                .isEqualTo(IntStream.range(0, 5 * most).mapToObj(Integer::toString).toList());
    }

    @Test
    void noClaimIsAddedToOnesUnderWayWhileAJobHasArrived() {
        Fetcher fetcher = fetcher("me", List.of("other", "q"));
        int most = Fetcher.CLAIM_MAX;
        pushNumbers(5 * most);
        assertThat(texts(fetcher.claim(2 * most))).hasSize(most);
        waiting(fetcher);
        awaitParked(1);
        redis.call("LPUSH", "queue:other", "woke");
        Eventually.until(
                "the parker of it took it",
                () -> Long.valueOf(0).equals(redis.call("LLEN", "queue:other")));
        Eventually.until("it is told", fetcher::hasArrival);

        assertThat(texts(fetcher.claim(3 * most))).hasSize(most);

        assertThat(fetcher.hasAsked()).isFalse();
        assertThat(texts(fetcher.claim(2 * most))).hasSize(most).contains("woke");
        assertThat(fetcher.hasAsked()).isFalse();
    }

    @Test
    void aWakeThatComesBeforeTheWaitIsNotLost() throws InterruptedException {
        Fetcher fetcher = fetcher("me", List.of("q"));

        fetcher.wake();

        Thread first = waiting(fetcher);
        assertThat(first.join(Duration.ofSeconds(60))).isTrue();
        Thread second = waiting(fetcher);
        assertThat(second.join(Duration.ofMillis(50))).isFalse();
    }

    @Test
    void aClaimKeepsItsJobsThoughWhatWokeUsCannotBeGivenBack() {
        Fetcher fetcher = fetcher("me", List.of("first", "second"));
        waiting(fetcher);
        awaitParked(2);
        redis.call("LPUSH", "queue:second", "woke");
        Eventually.until("it wakes", fetcher::hasArrival);
        redis.call("RPUSH", "queue:first", "earlier");
        broker.loseGiveBack();

        assertThat(texts(fetcher.claim(1))).containsExactly("earlier");

        assertThat(fetcher.hasArrival()).isTrue();
        broker.loseGiveBack();
        assertThatThrownBy(fetcher::giveBack).isInstanceOf(RedisFailure.class);
        // The one that parks for the first queue may tell of its job only now.
        Eventually.until(
                "all is given back",
                () -> {
                    fetcher.giveBack();
                    return !fetcher.hasArrival();
                });
        assertThat(redis.call("LLEN", "queue:second")).isEqualTo(1L);
    }

    @Test
    void givingBackAlsoGivesUpAClaimWhoseReplyWasLost() {
        redis.call("LPUSH", "queue:q", "1", "2");
        try (FaultProxy proxy = new FaultProxy(SERVER.address());
                var leasing = broker.leasing();
                var claiming = new RedisBroker(proxy.address(), DeadLimits.DEFAULT).claiming()) {
            leasing.open("me", List.of("q"), LONG);
            claiming.giveBack(List.of("q"));
            proxy.cutAfterReplyBytes(proxy.bursts() + 1, 0);
            assertThatThrownBy(() -> claiming.claim(List.of("q"), "me", 5, 1 << 20))
                    .isInstanceOf(RedisFailure.class);
            assertThat(redis.call("HLEN", "mw:{queue:q}:inflight:me")).isEqualTo(2L);

            claiming.giveBack(List.of());

            assertThat(redis.call("LLEN", "queue:q")).isEqualTo(2L);
        }
    }

    @Test
    void aPausedQueueIsNeitherClaimedFromNorParkedAtAndTheOthersAre() {
        pauses.set(Set.of("first"));
        Fetcher fetcher = fetcher("me", List.of("first", "second"));
        waiting(fetcher);
        awaitParked(1);
        redis.call("LPUSH", "queue:first", "no");
        redis.call("LPUSH", "queue:second", "yes");

        Eventually.until("it wakes", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(5))).containsExactly("yes");

        assertThat(redis.call("LLEN", "queue:first")).isEqualTo(1L);
    }

    @Test
    void aJobThatComesToAParkerAfterThePauseGoesBackToTheHeadAndStaysThere() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        waiting(fetcher);
        awaitParked(1);
        pauses.set(Set.of("q"));
        redis.call("LPUSH", "queue:q", "1", "2");
        Eventually.until("the parker took it", fetcher::hasArrival);

        assertThat(texts(fetcher.claim(5))).isEmpty();
        waiting(fetcher);

        assertThat(redis.call("LRANGE", "queue:q", "0", "-1"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactly(
                        "2".getBytes(StandardCharsets.UTF_8), "1".getBytes(StandardCharsets.UTF_8));
        awaitParked(0);
    }

    @Test
    void theEndOfAPauseEndsTheWait() throws InterruptedException {
        pauses.set(Set.of("q"));
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        redis.call("LPUSH", "queue:q", "1");
        assertThat(texts(fetcher.claim(5))).isEmpty();

        pauses.set(Set.of());

        assertThat(waiter.join(Duration.ofSeconds(60))).isTrue();
        assertThat(texts(fetcher.claim(5))).containsExactly("1");
    }

    @Test
    void stopEndsTheWaitAndNothingParksAfterwards() throws InterruptedException {
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        awaitParked(1);

        fetcher.stop();
        waiter.join();
        fetcher.await();

        awaitParked(0);
    }

    @Test
    void aCutParkedConnectionWakesTheClaimerAndParksAgain() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        awaitParked(1);

        redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        Eventually.until("the claimer looks", () -> !waiter.isAlive());
        assertThat(texts(fetcher.claim(1))).isEmpty();
        waiting(fetcher);
        awaitParked(1);

        redis.call("LPUSH", "queue:q", "1");
        Eventually.until("it wakes", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(1))).containsExactly("1");
    }
}
