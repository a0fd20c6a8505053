package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// A claimer that waits is woken by a job, by others and by a cut; the job that woke it is claimed
/// or given back.
class FetcherIT extends FetcherRig {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    FetcherIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// One that waits, parked at each of its queues.
    private Fetcher parked(String owner, String... queues) {
        Fetcher fetcher = fetcher(owner, List.of(queues));
        waiting(fetcher);
        awaitParked(queues.length);
        return fetcher;
    }

    /// Has a job of its second queue wake it, and then one come to the first.
    private void wakeByTheSecond(Fetcher fetcher) {
        redis.call("LPUSH", "queue:second", "woke");
        Eventually.until("it wakes", fetcher::hasArrival);
        redis.call("RPUSH", "queue:first", "earlier");
        Eventually.until("both are told", () -> pokes.get() == 2);
    }

    @Test
    void oneOfSeveralParkedProcessesWakesForAJob() {
        List<Fetcher> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Fetcher fetcher = fetcher(newBroker(), "p" + i, List.of("q"));
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
        Fetcher busy = parked("busy", "q", "other");
        redis.call("LPUSH", "queue:other", "first");
        Eventually.until("it wakes", busy::hasArrival);
        assertThat(texts(busy.claim(1))).containsExactly("first");
        redis.call("LPUSH", "queue:q", "1", "2");
        Eventually.until("the other parked connection took one", busy::hasArrival);
        Fetcher idle = fetcher("idle", List.of("q"));

        busy.giveBack();

        assertThat(busy.hasArrival()).isFalse();
        assertThat(redis.call("LLEN", "mw:{queue:q}:arrivals:busy#0")).isEqualTo(0L);
        assertThat(texts(idle.claim(5))).containsExactly("1", "2");
    }

    @Test
    void whatWokeUsAndIsLeftOverIsGivenBackByTheClaim() {
        Fetcher fetcher = parked("me", "first", "second");
        wakeByTheSecond(fetcher);

        assertThat(texts(fetcher.claim(1))).containsExactly("earlier");

        assertThat(redis.call("LLEN", "queue:second")).isEqualTo(1L);
        assertThat(redis.call("LLEN", "mw:{queue:second}:arrivals:me#0")).isEqualTo(0L);
    }

    @Test
    void whatArrivedInAQueueThatIsServedNoMoreIsGivenBack() {
        Fetcher fetcher = parked("me", "stays", "goes");
        redis.call("LPUSH", "queue:goes", "woke");
        Eventually.until("it wakes", fetcher::hasArrival);

        fetcher.follow(QueueOrder.strict(List.of("stays")));

        assertThat(texts(fetcher.claim(5))).isEmpty();
        assertThat(redis.call("LLEN", "queue:goes")).isEqualTo(1L);
        redis.call("LPUSH", "queue:stays", "2");
        awaitParked(0);
        Eventually.until("the one that stays has heard", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(5))).containsExactly("2");
    }

    @Test
    void aParkerThatIsCutOffLeavesTheQueueAlone() {
        Fetcher fetcher = parked("me", "stays", "goes");

        fetcher.follow(QueueOrder.strict(List.of("new", "stays")));
        Eventually.until("it says so", fetcher::hasArrival);
        assertThat(texts(fetcher.claim(5))).isEmpty();
        waiting(fetcher);
        awaitParked(2);
        redis.call("LPUSH", "queue:goes", "1");

        assertThat(redis.call("LLEN", "queue:goes")).isEqualTo(1L);
        assertThat(fetcher.hasArrival()).isFalse();
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
        Fetcher fetcher = parked("me", "first", "second");
        wakeByTheSecond(fetcher);
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
    void stopEndsTheWaitAndNothingParksAfterwards() {
        Fetcher fetcher = fetcher("me", List.of("q"));
        Thread waiter = waiting(fetcher);
        awaitParked(1);

        fetcher.stop();
        awaitEnd(waiter);
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
