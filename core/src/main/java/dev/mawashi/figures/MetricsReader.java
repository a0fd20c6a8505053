package dev.mawashi.figures;

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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads what classes have run out of Sidekiq's metrics, which Sidekiq 7, Sidekiq 8 and Mawashi
/// write, and on which runners out of what Mawashi writes beside them. What it reads at once is
/// bounded, in bytes and in round trips. One thread's.
public final class MetricsReader {
    /// Classes whose run times are read; of the others only the counts are.
    public static final int CLASSES_MAX = 100;

    /// Fields of counts, four a class and step where it has one runner.
    private static final int FIELDS_MAX = 160_000;

    private static final int FIELDS_TOGETHER = 20_000;
    private static final int HISTOGRAMS_MAX = 6_000;
    private static final int KEYS_TOGETHER = 500;
    private static final long MINUTE = 60;
    private static final List<String> COUNTED = List.of("p", "f", "ms");

    private final RedisConnection connection;
    private final InstantSource clock;

    /// A hash with counts of classes.
    ///
    /// @param shape null where it has runs by class and runner
    private record Counts(String key, int step, long fields, @Nullable MetricsShape shape) {
        boolean isByRunner() {
            return shape == null;
        }

        /// What a class's fields end in.
        List<String> endings() {
            return isByRunner() ? MetricsShape.RUNNERS : COUNTED;
        }

        Counts with(long known) {
            return new Counts(key, step, known, shape);
        }
    }

    public MetricsReader(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// All classes, at most `CLASSES_MAX` of them.
    public ClassTable classes(Period period) {
        List<Instant> steps = period.steps(clock.instant());
        List<Counts> present = present(steps, period);
        List<Counts> read = fitting(present);
        ClassSums sums = sums(read, steps.size());
        List<ClassRuns> all = new ArrayList<>(sums.classes());
        all.sort(
                Comparator.comparingLong(ClassRuns::processed)
                        .reversed()
                        .thenComparing(ClassRuns::jobClass));
        List<ClassRuns> first = all.subList(0, Math.min(CLASSES_MAX, all.size()));
        Duration timesOf = timesOf(period, first.size());
        List<MetricsShape> shapes = shapes(present);
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

    /// The runs of each class by its name, without their times.
    public Map<String, ClassRuns> runs(Period period) {
        List<Instant> steps = period.steps(clock.instant());
        return sums(fitting(present(steps, period)), steps.size()).classes().stream()
                .collect(Collectors.toMap(ClassRuns::jobClass, runs -> runs));
    }

    /// One class, with a bar for each step of the period; empty counts when it has not run.
    public ClassRuns one(String jobClass, Period period) {
        List<Instant> steps = period.steps(clock.instant());
        List<Counts> present = present(steps, period);
        Map<String, Long> sums = new TreeMap<>();
        Long[] bars = new Long[steps.size()];
        Arrays.fill(bars, 0L);
        for (int from = 0; from < present.size(); from += KEYS_TOGETHER) {
            List<Counts> some =
                    present.subList(from, Math.min(from + KEYS_TOGETHER, present.size()));
            for (Counts counts : some) {
                List<byte[]> command = new ArrayList<>(List.of(utf8("HMGET"), utf8(counts.key())));
                counts.endings().forEach(ending -> command.add(utf8(jobClass + "|" + ending)));
                connection.queue(command.toArray(byte[][]::new));
            }
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                Counts counts = some.get(i);
                List<Long> numbers = numbers(replies.get(i), counts.endings().size());
                for (int field = 0; field < numbers.size(); field++) {
                    sums.merge(counts.endings().get(field), numbers.get(field), Long::sum);
                }
                bars[counts.step()] += counts.isByRunner() ? 0 : numbers.getFirst();
            }
        }
        RunTimes times = times(jobClass, timesOf(period, 1), shapes(present));
        return runs(jobClass, sums, List.of(bars), times);
    }

    /// @param sums by what fields end in
    private static ClassRuns runs(
            String jobClass, Map<String, Long> sums, List<Long> bars, RunTimes times) {
        Map<String, Long> byRunner = new TreeMap<>(sums);
        byRunner.keySet().retainAll(MetricsShape.RUNNERS);
        byRunner.values().removeIf(runs -> runs == 0);
        long processed = sums.getOrDefault("p", 0L);
        return new ClassRuns(
                jobClass,
                processed,
                sums.getOrDefault("f", 0L),
                sums.getOrDefault("ms", 0L),
                ClassRuns.ByRunner.of(processed, byRunner),
                bars,
                times);
    }

    private static List<Long> numbers(@Nullable Object reply, int count) {
        return reply instanceof List<?> values
                ? values.stream().map(MetricsReader::number).toList()
                : Collections.nCopies(count, 0L);
    }

    private static List<MetricsShape> shapes(List<Counts> present) {
        return present.stream()
                .flatMap(counts -> Stream.ofNullable(counts.shape()))
                .distinct()
                .toList();
    }

    /// What ended in each whole step, oldest first: from the oldest that has counts and fits into
    /// what is read at once, up to the one before the present. What ended before is not known.
    public List<ClassTable.Step> ended(Period period) {
        List<Instant> steps = period.steps(clock.instant());
        List<Instant> whole = steps.subList(0, steps.size() - 1);
        List<Counts> present = present(whole, period);
        List<Counts> read = fitting(present);
        if (read.isEmpty()) {
            return List.of();
        }
        boolean hasAll = read.size() == present.size();
        // Another hash of the oldest step may be among those that do not fit.
        int first = read.getLast().step() + (hasAll ? 0 : 1);
        return sums(read, whole.size()).steps(whole).subList(first, whole.size());
    }

    /// The hashes of these steps that there are, newest first.
    private List<Counts> present(List<Instant> steps, Period period) {
        List<Counts> all = mayBe(steps, period);
        all.forEach(counts -> connection.queue(utf8("HLEN"), utf8(counts.key())));
        List<@Nullable Object> replies = connection.flush();
        List<Counts> present = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (replies.get(i) instanceof Long fields && fields > 0) {
                Counts counts = all.get(i);
                present.add(counts.with(fields));
            }
        }
        return present;
    }

    /// All hashes that these steps may have. Of a step the one by runner comes last: it is read
    /// after the counts, so it never lacks runs that they have.
    private static List<Counts> mayBe(List<Instant> steps, Period period) {
        boolean isOfMinutes = period.step().toSeconds() == MINUTE;
        List<MetricsShape> shapes =
                isOfMinutes ? List.of(MetricsShape.values()) : List.of(MetricsShape.EIGHT);
        Function<List<MetricsShape.Rollup>, String> key =
                hashes -> (isOfMinutes ? hashes.getLast() : hashes.getFirst()).key();
        List<Counts> all = new ArrayList<>();
        for (int step = steps.size() - 1; step >= 0; step--) {
            Instant time = steps.get(step);
            for (MetricsShape shape : shapes) {
                all.add(new Counts(key.apply(shape.rollups(time)), step, 0, shape));
            }
            all.add(new Counts(key.apply(MetricsShape.byRunner(time)), step, 0, null));
        }
        return all;
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

    private ClassSums sums(List<Counts> read, int steps) {
        ClassSums sums = new ClassSums(steps);
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
                add(sums, read.get(i), replies.get(i - from));
            }
            from = to;
        }
        return sums;
    }

    private static void add(ClassSums sums, Counts counts, @Nullable Object reply) {
        if (!(reply instanceof List<?> flat)) {
            return;
        }
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            String field = text(flat.get(i));
            int bar = field.lastIndexOf('|');
            if (bar > 0) {
                String jobClass = field.substring(0, bar);
                String ending = field.substring(bar + 1);
                long number = number(flat.get(i + 1));
                if (counts.isByRunner()) {
                    sums.addByRunner(jobClass, ending, number);
                } else {
                    sums.add(jobClass, ending, counts.step(), number);
                }
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
