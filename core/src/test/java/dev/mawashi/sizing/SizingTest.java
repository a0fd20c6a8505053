package dev.mawashi.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SizingTest {
    private static final int DRAWS = 20_000;

    /// @param run seconds; negative: unknown
    private static ServingPool pool(
            long processes, long slots, long busy, long waiting, double latency, double run) {
        return new ServingPool(
                List.of("q"),
                processes,
                slots,
                busy,
                waiting,
                latency,
                run < 0 ? OptionalDouble.empty() : OptionalDouble.of(run));
    }

    private static long wanted(ServingPool pool, SizeBounds bounds) {
        return Sizing.of(pool, bounds).wanted().orElseThrow();
    }

    /// Two or more processes with 10 slots each, bounds 30 s and 120 s.
    @ParameterizedTest
    @CsvSource({
        // Busy slots above 85 % ask for more, below 60 % of fewer for fewer; between nothing
        // changes.
        "2, 20, 18, 0, 0, -1, 3, '90 % of the slots are busy, more than 85 %'",
        "2, 20, 17, 0, 0, -1, 2, '85 % of the slots are busy, no job waits, and the next job has waited 0.0 s: within the bounds, and fewer might not be'",
        "3, 30, 13, 0, 0, -1, 3, '43 % of the slots are busy, no job waits, and the next job has waited 0.0 s: within the bounds, and fewer might not be'",
        "3, 30, 12, 0, 0, -1, 2, 'with 2, 60 % of the slots are busy and no job waits'",
        "3, 30, 0, 0, 0, -1, 1, 'with 1, 0 % of the slots are busy and no job waits; min is 1'",
        // 1,000 jobs of 3 s take 150 s on 20 slots.
        "2, 20, 10, 1000, 5, 3, 3, '1,000 waiting jobs take 150 s, more than 120 s'",
        "5, 50, 10, 1000, 5, 3, 5, '20 % of the slots are busy, 1,000 waiting jobs take 60 s, and the next job has waited 5.0 s: within the bounds, and fewer might not be'",
        "9, 90, 10, 1000, 5, 3, 5, 'with 5, 20 % of the slots are busy and 1,000 waiting jobs take 60 s'",
        // No more slots than jobs.
        "2, 20, 10, 15, 5, 900, 3, '15 waiting jobs take 675 s, more than 120 s'",
        // Late jobs double the number at most.
        "2, 20, 10, 1000, 45, 1, 3, 'the next job has waited 45 s, more than 30 s'",
        "2, 20, 10, 1000, 4500, 1, 4, 'the next job has waited 4500 s, more than 30 s'",
        "4, 40, 4, 20, 16, 1, 4, '10 % of the slots are busy, 20 waiting jobs take 0.5 s, and the next job has waited 16 s: within the bounds, and fewer might not be'",
        // Nothing like them has run: no fewer.
        "4, 40, 4, 20, 1, -1, 4, '10 % of the slots are busy, 20 waiting jobs take a time that is unknown until such jobs have run, and the next job has waited 1.0 s: within the bounds, and fewer might not be'",
    })
    void eachCauseGivesANumberAndOneSentence(
            long processes,
            long slots,
            long busy,
            long waiting,
            double latency,
            double run,
            long wanted,
            String reason) {
        ServingPool pool = pool(processes, slots, busy, waiting, latency, run);

        assertThat(Sizing.of(pool, SizeBounds.DEFAULT))
                .isEqualTo(new WantedSize(pool, OptionalLong.of(wanted), reason));
    }

    @Test
    void theBoundsHoldAndAreNamed() {
        SizeBounds bounds = new SizeBounds(30, 120, 2, 5);

        assertThat(Sizing.of(pool(4, 40, 40, 100_000, 5, 3), bounds))
                .returns(OptionalLong.of(5), WantedSize::wanted)
                .extracting(WantedSize::reason)
                .asString()
                .endsWith("; max is 5, and 250 would be right");
        assertThat(Sizing.of(pool(4, 40, 0, 0, 0, -1), bounds))
                .returns(OptionalLong.of(2), WantedSize::wanted)
                .extracting(WantedSize::reason)
                .asString()
                .endsWith("; min is 2");
    }

    @Test
    void unknownIsNoNumber() {
        assertThat(Sizing.of(pool(0, 0, 0, 10, 5, 1), SizeBounds.DEFAULT))
                .returns(OptionalLong.empty(), WantedSize::wanted)
                .extracting(WantedSize::reason)
                .asString()
                .startsWith("no live process takes jobs of these queues");
        assertThat(Sizing.of(pool(1, 0, 0, 10, 5, 1), SizeBounds.DEFAULT).json())
                .contains("\"utilisation\":null,\"drain_seconds\":null,\"wanted\":null,")
                .contains("no process has reported its slots yet");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 1, latency 0 makes no sense: give 1 to 86400 seconds",
        "1, 86401, 1, 1, drain 86401 makes no sense: give 1 to 86400 seconds",
        "1, 1, 0, 1, min 0 makes no sense: give 1 to 10000 processes",
        "1, 1, -3, 1, min -3 makes no sense: give 1 to 10000 processes",
        "1, 1, 1, 10001, max 10001 makes no sense: give 1 to 10000 processes",
        "1, 1, 3, 2, min 3 is above max 2: give a min of at most max",
    })
    void boundsThatMakeNoSenseAreRefused(int latency, int drain, int min, int max, String message) {
        assertThatThrownBy(() -> new SizeBounds(latency, drain, min, max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /// Calls with random pools and bounds; of the last four figures of a pool now and then the
    /// edge.
    private static void draw(BiConsumer<SplittableRandom, ServingPool> check) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < DRAWS; i++) {
            long processes = random.nextLong(1, 40);
            long slots = processes * random.nextLong(1, 30) + random.nextLong(5);
            long busy = random.nextBoolean() ? slots : random.nextLong(slots + 1);
            long waiting = random.nextInt(4) == 0 ? 0 : random.nextLong(100_000);
            double latency = waiting == 0 ? 0 : random.nextDouble(100);
            double run = random.nextInt(5) == 0 ? 0 : random.nextDouble(20);
            check.accept(random, pool(processes, slots, busy, waiting, latency, run));
        }
    }

    private static SizeBounds bounds(SplittableRandom random) {
        int min = random.nextInt(1, 20);
        return new SizeBounds(
                random.nextInt(1, 100), random.nextInt(1, 500), min, min + random.nextInt(500));
    }

    private static ServingPool with(ServingPool one, long waiting, double latency, double run) {
        return pool(one.processes(), one.slots(), one.busy(), waiting, latency, run);
    }

    @Test
    void moreWorkNeverAsksForFewerAndTheBoundsAlwaysHold() {
        draw((random, one) -> {
            SizeBounds bounds = bounds(random);
            long wanted = wanted(one, bounds);
            double run = one.runSeconds().orElseThrow();
            long waiting = one.waiting() + random.nextLong(10_000);
            double latency = one.latencySeconds() + random.nextDouble(50);

            assertThat(wanted).isBetween((long) bounds.min(), (long) bounds.max());
            assertThat(wanted(with(one, waiting, one.latencySeconds(), run), bounds))
                    .isGreaterThanOrEqualTo(wanted);
            assertThat(wanted(with(one, one.waiting(), latency, run), bounds))
                    .isGreaterThanOrEqualTo(wanted);
            assertThat(
                            wanted(
                                    with(
                                            one,
                                            one.waiting(),
                                            one.latencySeconds(),
                                            run + random.nextDouble(10)),
                                    bounds))
                    .isGreaterThanOrEqualTo(wanted);
        });
    }

    @Test
    void aSteadyLoadInTimeGetsItsNumberAtOnceAndKeepsIt() {
        draw((random, one) -> {
            SizeBounds bounds = bounds(random);
            double each = one.slotsEach();
            ServingPool calm =
                    with(one, one.waiting(), bounds.latency() / 2.0, one.runSeconds().orElse(0));
            long wanted = wanted(calm, bounds);
            long slots = Math.round(each * wanted);
            // Only pools whose processes are alike: others have another mean after the change.
            if (each == Math.rint(each)) {
                ServingPool after =
                        pool(
                                wanted,
                                slots,
                                calm.busy(),
                                calm.waiting(),
                                calm.latencySeconds(),
                                calm.runSeconds().orElse(0));
                assertThat(wanted(after, bounds)).isEqualTo(wanted);
            }
        });
    }

    /// Fewer are wanted only where these are not too few in turn, by far.
    @Test
    void aLoadThatSwaysByAThirdMovesNothingBack() {
        draw((random, one) -> {
            ServingPool idle = pool(one.processes(), one.slots(), one.busy(), 0, 0, -1);
            long fewer = wanted(idle, SizeBounds.DEFAULT);
            if (fewer < one.processes() && one.slotsEach() == Math.rint(one.slotsEach())) {
                long slots = Math.round(one.slotsEach() * fewer);
                long busier = Math.min(slots, (long) Math.floor(one.busy() * 1.4));
                assertThat(wanted(pool(fewer, slots, busier, 0, 0, -1), SizeBounds.DEFAULT))
                        .isLessThanOrEqualTo(fewer);
            }
        });
    }
}
