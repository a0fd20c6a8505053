package dev.mawashi.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.fleet.AlarmView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// The alarms of the JVM and of children, their beginning and their end.
class AlarmWatchTest {
    private final AlarmRig rig = new AlarmRig();

    private static JvmReading jvm(long heapAfter, Duration collecting, long code, int threads) {
        return new JvmReading(heapAfter, 100 << 20, collecting, code, 48 << 20, threads, List.of());
    }

    @Test
    void anAlarmIsReportedWhenItBeginsAndWhenItIsOver() {
        rig.look();
        assertThat(rig.standing()).isEmpty();

        rig.jvm = () -> jvm(84 << 20, Duration.ZERO, 0, 1);
        rig.look();
        rig.jvm = () -> jvm(91 << 20, Duration.ZERO, 0, 1);
        rig.look();

        assertThat(rig.watch.standing())
                .containsExactly(
                        new AlarmView(
                                "heap_full",
                                "the heap is nearly full after collections: 91 % of 100 MiB;"
                                        + " see docs/guide/tuning.md#memory",
                                AlarmRig.NOON.plusSeconds(23)));
        rig.jvm = () -> AlarmRig.WELL;
        rig.pass(Duration.ofSeconds(105));
        assertThat(rig.standing()).containsExactly("heap_full");
        rig.look();
        assertThat(rig.standing()).isEmpty();
        assertThat(rig.lines())
                .containsExactly(
                        "alarm heap_full: the heap is nearly full after collections:"
                                + " 84 % of 100 MiB; see docs/guide/tuning.md#memory",
                        "alarm heap_full is over: the heap is nearly full after collections");
    }

    @Test
    void oneThatComesAndGoesAtItsBoundIsReportedOnce() {
        for (int i = 0; i < 20; i++) {
            rig.jvm = () -> jvm(80 << 20, Duration.ZERO, 0, 1);
            rig.look();
            rig.jvm = () -> AlarmRig.WELL;
            rig.pass(Duration.ofMinutes(1));
        }

        assertThat(rig.lines()).hasSize(1);
    }

    @Test
    void aMeasureThatFailsIsADefectAndTheNextOneCounts() {
        rig.jvm =
                () -> {
                    throw new IllegalStateException("no bean");
                };
        rig.look();
        rig.jvm = () -> jvm(80 << 20, Duration.ZERO, 0, 1);
        rig.look();

        assertThat(rig.events.of(Event.Defect.class)).hasSize(1);
        assertThat(rig.standing()).containsExactly("heap_full");
    }

    @Test
    void collectionsThatTakeAFifthOfAMinute() {
        rig.jvm = () -> jvm(0, Duration.ZERO, 0, 1);
        rig.look();
        rig.jvm = () -> jvm(0, Duration.ofSeconds(11), 0, 1);
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.standing()).isEmpty();
        rig.jvm = () -> jvm(0, Duration.ofSeconds(24), 0, 1);
        rig.look();

        assertThat(rig.text(Alarm.GC_BUSY)).contains("jobs: 22 % of the last 60 s;");
    }

    @Test
    void aCodeCacheThatIsNearlyFull() {
        rig.jvm = () -> jvm(0, Duration.ZERO, 43 << 20, 1);
        rig.look();
        assertThat(rig.standing()).isEmpty();
        rig.jvm = () -> jvm(0, Duration.ZERO, 44 << 20, 1);
        rig.look();

        assertThat(rig.text(Alarm.CODE_CACHE_FULL)).contains("92 % of 48 MiB");
    }

    @Test
    void threadsThatAJobLeaks() {
        rig.jvm = AlarmRig::wellWithRealThreads;
        rig.pass(Duration.ofMinutes(11));
        assertThat(rig.standing()).isEmpty();
        int before = JvmReading.take().threads();
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 2 * before + 200; i++) {
            Thread.ofPlatform().daemon().stackSize(1 << 16).start(() -> await(end));
        }

        rig.look();

        assertThat(rig.text(Alarm.THREADS_GROW)).contains("in the first 10 minutes at most");
        end.countDown();
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void threadsThatWaitForEachOther() throws Exception {
        ReentrantLock one = new ReentrantLock();
        ReentrantLock other = new ReentrantLock();
        CyclicBarrier bothHold = new CyclicBarrier(3);
        Thread first = holding("mawashi-slot-7", one, other, bothHold);
        Thread second = holding("mawashi-slot-8", other, one, bothHold);
        bothHold.await();
        while (!one.hasQueuedThread(second) || !other.hasQueuedThread(first)) {
            Thread.onSpinWait();
        }
        rig.jvm = JvmReading::take;

        rig.look();

        assertThat(rig.text(Alarm.DEADLOCK))
                .startsWith(
                        "threads wait for each other's locks and never go on:"
                                + " mawashi-slot-7, mawashi-slot-8; see ");
        first.interrupt();
        first.join();
        second.join();
        rig.pass(Duration.ofMinutes(3));
        assertThat(rig.standing()).isEmpty();
    }

    private static Thread holding(
            String name, ReentrantLock held, ReentrantLock wanted, CyclicBarrier bothHold) {
        return Thread.ofPlatform()
                .name(name)
                .start(() -> {
                    held.lock();
                    try {
                        bothHold.await();
                        wanted.lockInterruptibly();
                        wanted.unlock();
                    } catch (Exception _) {
                        // Interrupted: that ends the deadlock.
                    } finally {
                        held.unlock();
                    }
                });
    }

    @Test
    void childrenThatDie() {
        rig.lost = 2;
        rig.look();
        rig.lost = 5;
        rig.pass(Duration.ofMinutes(12));
        assertThat(rig.standing()).isEmpty();
        rig.lost = 9;
        rig.look();

        assertThat(rig.text(Alarm.CHILDREN_DIE)).contains("4 within 10 minutes");
        rig.pass(Duration.ofMinutes(13));
        assertThat(rig.standing()).isEmpty();
    }

    private static Reading.Child child(long mib) {
        return new Reading.Child(mib << 10, 12);
    }

    @Test
    void oneChildThatLeaks() {
        rig.children = Map.of(1L, child(50), 2L, child(200));
        rig.pass(Duration.ofMinutes(11));
        rig.children = Map.of(1L, child(149), 2L, child(399), 3L, child(900));
        rig.look();
        assertThat(rig.standing()).isEmpty();
        rig.children = Map.of(2L, child(401), 3L, child(900));
        rig.look();

        assertThat(rig.text(Alarm.CHILDREN_GROW))
                .contains("child 2 has 401 MiB, in the first 10 minutes at most 200");
        rig.children = Map.of(3L, child(900), 4L, child(50));
        rig.pass(Duration.ofMinutes(3));
        assertThat(rig.standing()).isEmpty();
    }

    @Test
    void oneChildThatLeaksThreads() {
        rig.children = Map.of(1L, new Reading.Child(1, 12), 2L, new Reading.Child(1, 20));
        rig.pass(Duration.ofMinutes(11));
        rig.children = Map.of(1L, new Reading.Child(1, 124), 2L, new Reading.Child(1, 140));
        rig.look();
        assertThat(rig.standing()).isEmpty();
        rig.children = Map.of(1L, new Reading.Child(1, 125), 2L, new Reading.Child(1, 140));
        rig.look();

        assertThat(rig.text(Alarm.THREADS_GROW))
                .contains("end: child 1 has 125, in the first 10 minutes at most 12");
    }

    @Test
    void lateAcksAndSuspects() {
        rig.look();
        rig.late = 3;
        rig.suspected = 1;
        rig.look();

        assertThat(rig.standing()).containsExactly("suspects", "settled_late");
        assertThat(rig.text(Alarm.SETTLED_LATE)).contains("3 within 10 minutes");
        rig.pass(Duration.ofMinutes(13));
        assertThat(rig.standing()).isEmpty();
    }
}
