package dev.mawashi.broker;

import static dev.mawashi.broker.CrashPoints.JOBS;
import static dev.mawashi.broker.CrashPoints.QUEUES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.operate.Cancellation;
import dev.mawashi.operate.Canceller;
import dev.mawashi.operate.Progress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.tables.IterationTable;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The moves of `CrashPointIT` in which what is kept beside jobs changes: how far they have come,
/// and that they are cancelled.
final class StateMoves {
    private static final byte[] ITERABLE = "it".getBytes(UTF_8);
    private static final String CANCELLED = "3";

    private StateMoves() {}

    /// A job notes how far it is three times, and is cancelled after the second and the third. Its
    /// state is that of one note, with an end, and the first cancellation counts.
    static void iterate(CrashPoints.Attempt attempt) {
        List<Integer> noted = new ArrayList<>(List.of(0));
        List<String> told = new ArrayList<>();
        int[] clock = {100};
        try (IterationTable table = new IterationTable(attempt.broken.connect("iterate"))) {
            for (int step = 1; step <= 3; step++) {
                int now = step;
                attempt.persistently(() -> {
                    table.write(ITERABLE, note(now)).ifPresent(time -> told.add(text(time)));
                    noted.add(now);
                });
                if (step > 1) {
                    attempt.persistently(() -> told.add(cancelIteration(table, clock[0]++)));
                }
            }
            assertState(attempt, noted.getLast(), told);
            attempt.persistently(() -> table.forget(ITERABLE));
        }
        if (!attempt.isCrashed()) {
            assertThat(state(attempt)).isEmpty();
        }
    }

    private static List<byte[]> note(int step) {
        byte[] value = Integer.toString(step).getBytes(UTF_8);
        return List.of("ex".getBytes(UTF_8), value, "c".getBytes(UTF_8), value);
    }

    private static String cancelIteration(IterationTable table, int time) {
        byte[] value = Integer.toString(time).getBytes(UTF_8);
        List<byte[]> fields = List.of("cancelled".getBytes(UTF_8), value);
        return text(table.write(ITERABLE, fields).orElseThrow());
    }

    private static void assertState(CrashPoints.Attempt attempt, int noted, List<String> told) {
        Map<String, String> state = state(attempt);
        int found = Integer.parseInt(state.getOrDefault("c", "0"));
        assertThat(state.getOrDefault("ex", "0")).isEqualTo("" + found);
        assertThat(found).isBetween(noted, attempt.isCrashed() ? noted + 1 : noted);
        told.forEach(time -> assertThat(time).isEqualTo(state.get("cancelled")));
        try (RedisConnection redis = attempt.connect()) {
            assertThat(redis.call("TTL", "it-it")).isNotEqualTo(-1L);
        }
    }

    private static Map<String, String> state(CrashPoints.Attempt attempt) {
        Map<String, String> state = new HashMap<>();
        try (RedisConnection redis = attempt.connect()) {
            List<?> fields = list(redis.call("HGETALL", "it-it"));
            for (int i = 0; i < fields.size(); i += 2) {
                state.put(text(fields.get(i)), text(fields.get(i + 1)));
            }
        }
        return state;
    }

    private static List<?> list(@Nullable Object reply) {
        return reply instanceof List<?> values ? values : List.of();
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }

    /// One job that waits is cancelled. No other is touched.
    static void cancel(CrashPoints.Attempt attempt) {
        attempt.persistently(() -> cancelOnce(attempt));

        Map<String, List<String>> where = whereabouts(attempt);
        for (int i = 0; i < 2 * JOBS; i++) {
            if (!CANCELLED.equals("" + i)) {
                assertThat(where.get("" + i)).as("job %d, %s", i, where).hasSize(1);
            }
        }
        if (!attempt.isCrashed()) {
            assertThat(where).doesNotContainKey(CANCELLED);
            assertThat(isMarked(attempt)).isFalse();
        }
    }

    /// The job is in the hands of a process that does not hear of it, so that the mark must stay
    /// for whoever recovers the job.
    static void cancelHeld(CrashPoints.Attempt attempt) {
        attempt.claimed(7);
        List<Cancellation> told = new ArrayList<>();

        attempt.persistently(() -> told.add(cancelOnce(attempt)));

        assertThat(whereabouts(attempt).get(CANCELLED)).containsExactly("in flight");
        if (!attempt.isCrashed()) {
            assertThat(told.getLast())
                    .isEqualTo(new Cancellation(Cancellation.State.TOLD, List.of("me")));
            assertThat(isMarked(attempt)).isTrue();
        }
    }

    private static Cancellation cancelOnce(CrashPoints.Attempt attempt) {
        try (CancelMarks marks =
                        new CancelMarks(attempt.broken.connect("cancel"), QueueLayout.SIDEKIQ);
                InFlightReader inFlight =
                        new InFlightReader(attempt.broken.connect("held"), QueueLayout.SIDEKIQ);
                RedisConnection edit = attempt.broken.connect("edit")) {
            Canceller canceller = new Canceller(marks, inFlight, edit, InstantSource.system());
            return canceller.cancel(CANCELLED, Duration.ZERO, Progress.UNHEARD);
        }
    }

    private static Map<String, List<String>> whereabouts(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            return new RedisPlaces(redis).whereabouts(QUEUES);
        }
    }

    /// Also that a mark has an end.
    private static boolean isMarked(CrashPoints.Attempt attempt) {
        try (RedisConnection redis = attempt.connect()) {
            assertThat(redis.call("TTL", "mw:cancelled")).isNotEqualTo(-1L);
            return redis.call("ZSCORE", "mw:cancelled", CANCELLED) != null;
        }
    }
}
