package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mawashi.figures.ClassTable.Step;
import dev.mawashi.figures.Stats;
import dev.mawashi.figures.Stats.QueueStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    /// Begins a minute.
    private static final double START = 60_000;

    private static final Duration FINE = Duration.ofMinutes(15);
    private static final Duration COARSE = Duration.ofHours(8);

    private final History history = new History();

    private void add(double time, long processed, long failed, QueueStats... queues) {
        history.add(time, new Stats(processed, failed, 4, 3, 5, 1, 2, List.of(queues)));
    }

    private History.Columns last(Duration span, double now) {
        return history.last(span, now, 8);
    }

    private static float[] column(History.Columns columns, Gauge gauge) {
        return columns.gauges().get(gauge.column());
    }

    private static Step minute(long minutes, long processed, long failed) {
        return new Step((long) START + 60 * minutes, processed, failed);
    }

    @Test
    void aSampleHasWhatEndedSinceTheOneBeforeASecond() {
        add(START, 100, 10);
        add(START + 2, 120, 14);
        add(START + 12, 130, 14);

        History.Columns columns = last(FINE, START + 12);
        assertThat(columns.times()).containsExactly(START, START + 2, START + 12);
        assertThat(column(columns, Gauge.OK)).containsExactly(Float.NaN, 8, 1);
        assertThat(column(columns, Gauge.FAILED)).containsExactly(Float.NaN, 2, 0);
        assertThat(column(columns, Gauge.BUSY)).containsExactly(2, 2, 2);
        assertThat(column(columns, Gauge.RETRIES)).containsExactly(3, 3, 3);
        assertThat(column(columns, Gauge.SCHEDULED)).containsExactly(4, 4, 4);
        assertThat(column(columns, Gauge.DEAD)).containsExactly(5, 5, 5);
    }

    @Test
    void aSampleThatFollowsTooQuicklyIsNotKeptAndWhatEndedCountsInTheNext() {
        add(START, 0, 0);
        add(START + 1, 6, 0);
        add(START + 1.95, 10, 0);
        assertThat(last(FINE, START + 2).times()).containsExactly(START, START + 1.95);
        assertThat(column(last(FINE, START + 2), Gauge.OK)[1]).isCloseTo(10 / 1.95f, within(1e-5f));
    }

    /// It writes its counters every five seconds.
    @Test
    void theSamplesOfAnEvenlyBusyProcessAreEven() {
        for (int second = 0; second <= 60; second += 2) {
            add(START + second, second / 5 * 500L, 0);
        }
        float[] ok = column(last(FINE, START + 60), Gauge.OK);
        assertThat(ok).hasSize(31);
        for (int i = 10; i < ok.length; i++) {
            assertThat(ok[i]).isBetween(90f, 110f);
        }
    }

    @Test
    void aTimeThatGoesBackIsNotTaken() {
        add(START, 0, 0);
        add(START - 3_600, 500, 0);
        add(START + 10, 100, 0);

        History.Columns columns = last(FINE, START + 10);
        assertThat(columns.times()).containsExactly(START, START + 10);
        assertThat(column(columns, Gauge.OK)).containsExactly(Float.NaN, 10);
    }

    @Test
    void countersThatWereSetBackTellNothingUntilTheNextSample() {
        add(START, 1_000, 100);
        add(START + 10, 5, 0);
        add(START + 20, 25, 10);

        History.Columns columns = last(FINE, START + 20);
        assertThat(column(columns, Gauge.OK)).containsExactly(Float.NaN, Float.NaN, 1);
        assertThat(column(columns, Gauge.FAILED)).containsExactly(Float.NaN, Float.NaN, 1);

        add(START + 60, 25, 10);
        assertThat(column(last(COARSE, START + 60), Gauge.OK)).containsExactly(1);
    }

    @Test
    void aMinuteIsThereOnceTheNextHasBegunAndAGapHasNone() {
        add(START + 5, 0, 0);
        add(START + 15, 100, 0);
        assertThat(last(COARSE, START + 15).times()).isEmpty();

        // What ended in the gap counts in the sample after it.
        add(START + 315, 3_100, 0);
        add(START + 365, 3_100, 0);
        History.Columns columns = last(COARSE, START + 365);
        assertThat(columns.times()).containsExactly(START, START + 300);
        assertThat(column(columns, Gauge.OK)).containsExactly(10, 10);
    }

    @Test
    void theOldestGoesOnceTheRoomIsTaken() {
        double now = START;
        for (int i = 0; i < 1_000; i++) {
            now = START + 60 * i;
            add(now, i * 60L, 0);
            add(now + 2, i * 60L, 0);
        }

        assertThat(last(FINE, now + 2).times()).hasSize(31).startsWith(now - 898, now - 840);
        History.Columns coarse = last(Duration.ofHours(12), now + 2);
        assertThat(coarse.times()).hasSize(480).startsWith(now - 480 * 60).endsWith(now - 60);
        assertThat(coarse.times()).isSorted();
        assertThat(column(coarse, Gauge.BUSY)).containsOnly(2);
    }

    @Test
    void aQueueThatTakesOverColumnsHasNoPastOfAnother() {
        QueueStats[] queues = new QueueStats[QueueColumns.QUEUES_MAX];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = QueueColumnsTest.queue("q" + i, 100 - i, 1);
        }
        add(START, 0, 0, queues);
        add(START + 60, 0, 0, queues);
        queues[0] = QueueColumnsTest.queue("new", 7, 3);
        add(START + 70, 0, 0, queues);
        add(START + 120, 0, 0, queues);

        assertThat(queue(FINE, "new").depth()).containsExactly(Float.NaN, Float.NaN, 7, 7);
        assertThat(queue(FINE, "new").age()).containsExactly(Float.NaN, Float.NaN, 3, 3);
        assertThat(queue(COARSE, "new").depth()).containsExactly(Float.NaN, 7);
        assertThat(queue(COARSE, "q1").depth()).containsExactly(99, 99);
    }

    private History.QueueColumn queue(Duration span, String name) {
        return history.last(span, START + 120, QueueColumns.QUEUES_MAX).queues().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theQueuesWithMostToDoInTheSpanAreTold() {
        add(
                START,
                0,
                0,
                QueueColumnsTest.queue("was deep", 50, 1),
                QueueColumnsTest.queue("old", 1, 90),
                QueueColumnsTest.queue("fresh", 1, 2),
                QueueColumnsTest.queue("idle", 0, 5));
        add(START + 10, 0, 0, QueueColumnsTest.queue("fresh", 1, 2));

        History.Columns columns = history.last(FINE, START + 10, 3);
        assertThat(columns.queues())
                .extracting(History.QueueColumn::name)
                .containsExactly("was deep", "old", "fresh");
        assertThat(columns.queues().getFirst().depth()).containsExactly(50, Float.NaN);
        List<History.QueueColumn> all = history.last(FINE, START + 10, 4).queues();
        assertThat(all.getLast().age()).containsExactly(0, Float.NaN);
    }

    @Test
    void thePastHasWhatEndedAndNothingElse() {
        history.addPast(List.of(minute(-2, 90, 30), minute(-1, 0, 0)));
        add(START, 0, 0, QueueColumnsTest.queue("q", 1, 1));
        add(START + 60, 120, 60, QueueColumnsTest.queue("q", 1, 1));
        add(START + 120, 120, 60);

        History.Columns columns = last(COARSE, START + 120);
        assertThat(columns.times()).containsExactly(START - 120, START - 60, START, START + 60);
        assertThat(column(columns, Gauge.OK)).containsExactly(1, 0, Float.NaN, 1);
        assertThat(column(columns, Gauge.FAILED)).containsExactly(0.5f, 0, Float.NaN, 1);
        assertThat(column(columns, Gauge.BUSY)).containsExactly(Float.NaN, Float.NaN, 2, 2);
        assertThat(columns.queues().getFirst().depth()).containsExactly(Float.NaN, Float.NaN, 1, 1);
        assertThat(last(FINE, START + 120).times()).first().isEqualTo(START);
    }

    @Test
    void whatWasSampledWinsOverThePast() {
        add(START + 30, 0, 0);
        history.addPast(List.of(minute(-2, 60, 0), minute(-1, 60, 0), minute(0, 600, 0)));
        add(START + 180, 0, 0);
        add(START + 240, 0, 0);
        history.addPast(
                LongStream.range(-3, 4).mapToObj(minutes -> minute(minutes, 600, 0)).toList());

        History.Columns columns = last(COARSE, START + 240);
        assertThat(columns.times())
                .containsExactly(START - 180, START - 120, START - 60, START, START + 180);
        assertThat(column(columns, Gauge.OK)).containsExactly(10, 1, 1, Float.NaN, 0);
    }

    @Test
    void ofALongPastTheLatestIsKeptAndGoesAsSamplesCome() {
        List<Step> past = new ArrayList<>();
        for (long i = -600; i < 0; i++) {
            past.add(minute(i, 60, 0));
        }
        history.addPast(past);
        Duration all = Duration.ofHours(12);
        assertThat(last(all, START).times())
                .hasSize(480)
                .startsWith(START - 480 * 60)
                .endsWith(START - 60);

        add(START, 0, 0);
        add(START + 60, 0, 0);
        history.addPast(past);
        assertThat(last(all, START + 60).times())
                .hasSize(480)
                .startsWith(START - 479 * 60)
                .endsWith(START);
    }
}
