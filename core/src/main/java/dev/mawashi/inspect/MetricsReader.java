package dev.mawashi.inspect;

import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.MetricsShape;
import dev.mawashi.wire.RunTimeBuckets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what classes have run out of Sidekiq's metrics, which Sidekiq 7, Sidekiq 8 and Mawashi
/// write. What it reads at once is bounded, in bytes and in round trips. One thread's.
public final class MetricsReader {
    /// Classes whose run times are read; of the others only the counts are.
    public static final int CLASSES_MAX = 100;

    /// Fields of counts, three a class and step.
    private static final int FIELDS_MAX = 120_000;

    private static final int FIELDS_TOGETHER = 20_000;
    private static final int HISTOGRAMS_MAX = 6_000;
    private static final int KEYS_TOGETHER = 500;
    private static final long MINUTE = 60;

    private final RedisConnection connection;
    private final InstantSource clock;

    /// A hash with counts.
    private record Counts(String key, int step, long fields, MetricsShape shape) {}

    public MetricsReader(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// All classes, at most `CLASSES_MAX` of them.
    public ClassTable classes(Period period) {
        List<Instant> steps = period.steps(clock.instant());
        List<Counts> present = present(steps, period);
        List<Counts> read = fitting(present);
        ClassSums sums = new ClassSums(steps.size());
        int from = 0;
        while (from < read.size()) {
            int to = from;
            long fields = 0;
            while (to < read.size() && (to == from || fields < FIELDS_TOGETHER)) {
                fields += read.get(to).fields();
                connection.queue(utf8("HGETALL"), utf8(read.get(to).key()));
                to++;
            }
            List<@Nullable Object> replies = connection.flush();
            for (int i = from; i < to; i++) {
                add(sums, read.get(i).step(), replies.get(i - from));
            }
            from = to;
        }
        List<ClassRuns> all = new ArrayList<>(sums.classes());
        all.sort(
                Comparator.comparingLong(ClassRuns::processed)
                        .reversed()
                        .thenComparing(ClassRuns::jobClass));
        List<ClassRuns> first = all.subList(0, Math.min(CLASSES_MAX, all.size()));
        Duration timesOf = timesOf(period, first.size());
        List<MetricsShape> shapes = present.stream().map(Counts::shape).distinct().toList();
        List<ClassRuns> timed =
                first.stream()
                        .map(one -> one.with(times(one.jobClass(), timesOf, shapes)))
                        .toList();
        return new ClassTable(
                period,
                timed,
                all.size(),
                timesOf,
                read.size() == present.size(),
                sums.steps(steps));
    }

    /// One class, with a bar for each step of the period; empty counts when it has not run.
    public ClassRuns one(String jobClass, Period period) {
        List<Instant> steps = period.steps(clock.instant());
        List<Counts> present = present(steps, period);
        long[] sums = new long[3];
        Long[] bars = new Long[steps.size()];
        Arrays.fill(bars, 0L);
        for (int from = 0; from < present.size(); from += KEYS_TOGETHER) {
            List<Counts> some =
                    present.subList(from, Math.min(from + KEYS_TOGETHER, present.size()));
            for (Counts counts : some) {
                connection.queue(
                        utf8("HMGET"),
                        utf8(counts.key()),
                        utf8(jobClass + "|p"),
                        utf8(jobClass + "|f"),
                        utf8(jobClass + "|ms"));
            }
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                if (replies.get(i) instanceof List<?> values) {
                    bars[some.get(i).step()] += number(values.get(0));
                    for (int field = 0; field < sums.length; field++) {
                        sums[field] += number(values.get(field));
                    }
                }
            }
        }
        List<MetricsShape> shapes = present.stream().map(Counts::shape).distinct().toList();
        RunTimes times = times(jobClass, timesOf(period, 1), shapes);
        return new ClassRuns(jobClass, sums[0], sums[1], sums[2], List.of(bars), times);
    }

    /// The hashes of these steps that there are, newest first.
    private List<Counts> present(List<Instant> steps, Period period) {
        List<Counts> all = new ArrayList<>();
        for (int step = steps.size() - 1; step >= 0; step--) {
            Instant time = steps.get(step);
            String tenMinutes = MetricsShape.EIGHT.rollups(time).getFirst().key();
            if (period.step().toSeconds() > MINUTE) {
                all.add(new Counts(tenMinutes, step, 0, MetricsShape.EIGHT));
                continue;
            }
            for (MetricsShape shape : MetricsShape.values()) {
                all.add(new Counts(shape.rollups(time).getLast().key(), step, 0, shape));
            }
        }
        all.forEach(counts -> connection.queue(utf8("HLEN"), utf8(counts.key())));
        List<@Nullable Object> replies = connection.flush();
        List<Counts> present = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (replies.get(i) instanceof Long fields && fields > 0) {
                Counts counts = all.get(i);
                present.add(new Counts(counts.key(), counts.step(), fields, counts.shape()));
            }
        }
        return present;
    }

    /// As many of the newest as are read at once.
    private static List<Counts> fitting(List<Counts> present) {
        long fields = 0;
        int count = 0;
        while (count < present.size() && fields + present.get(count).fields() <= FIELDS_MAX) {
            fields += present.get(count).fields();
            count++;
        }
        return present.subList(0, count);
    }

    private static void add(ClassSums sums, int step, @Nullable Object reply) {
        if (!(reply instanceof List<?> flat)) {
            return;
        }
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            String field = text(flat.get(i));
            int bar = field.lastIndexOf('|');
            if (bar > 0) {
                sums.add(
                        field.substring(0, bar),
                        field.substring(bar + 1),
                        step,
                        number(flat.get(i + 1)));
            }
        }
    }

    private static Duration timesOf(Period period, int classes) {
        long kept = Math.min(period.length().toMinutes(), MetricsShape.SHORT_TERM.toMinutes());
        return Duration.ofMinutes(Math.min(kept, HISTOGRAMS_MAX / Math.max(1, classes)));
    }

    private RunTimes times(String jobClass, Duration span, List<MetricsShape> shapes) {
        long[] sums = new long[RunTimeBuckets.COUNT];
        List<byte[]> keys = new ArrayList<>();
        Instant now = clock.instant();
        for (long minute = 0; minute < span.toMinutes(); minute++) {
            Instant time = now.minusSeconds(minute * MINUTE);
            shapes.forEach(shape -> keys.add(utf8(shape.histogram(jobClass, time))));
        }
        for (int from = 0; from < keys.size(); from += KEYS_TOGETHER) {
            List<byte[]> command = new ArrayList<>(List.of(utf8("MGET")));
            command.addAll(keys.subList(from, Math.min(from + KEYS_TOGETHER, keys.size())));
            connection.queue(command.toArray(byte[][]::new));
        }
        List<@Nullable Object> replies = keys.isEmpty() ? List.of() : connection.flush();
        for (Object reply : replies) {
            if (reply instanceof List<?> values) {
                values.forEach(value -> {
                    if (value instanceof byte[] histogram) {
                        RunTimes.add(sums, histogram);
                    }
                });
            }
        }
        return RunTimes.of(sums);
    }

    private static long number(@Nullable Object reply) {
        String digits = text(reply);
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }
}
