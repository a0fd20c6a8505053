package dev.mawashi.figures;

import dev.mawashi.wire.MetricsShape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Sums counts by class, and by step for all classes together. Names come out of payloads, so they
/// are limited in length and number; what is above counts for the steps alone.
final class ClassSums {
    /// Most bars of a class; each is of as many steps.
    private static final int BARS_MAX = 30;

    private static final int CLASSES_MAX = 5_000;
    private static final int NAME_MAX = 500;

    private final long[] processed;
    private final long[] failed;
    private final int stepsOfBar;
    private final Map<String, Sums> byClass = new HashMap<>();

    private static final class Sums {
        private final long[] bars;
        private long processed;
        private long failed;
        private long millis;
        private final Map<String, Long> byRunner = new TreeMap<>();

        Sums(int count) {
            bars = new long[count];
        }
    }

    ClassSums(int steps) {
        processed = new long[steps];
        failed = new long[steps];
        stepsOfBar =
                IntStream.rangeClosed(1, steps)
                        .filter(each -> steps % each == 0 && steps / each <= BARS_MAX)
                        .findFirst()
                        .orElseThrow();
    }

    /// @param field `p`, `f` or `ms`; another counts for nothing
    void add(String jobClass, String field, int step, long number) {
        Sums sums = sums(jobClass);
        switch (field) {
            case "p" -> {
                processed[step] += number;
                sums.processed += number;
                sums.bars[step / stepsOfBar] += number;
            }
            case "f" -> {
                failed[step] += number;
                sums.failed += number;
            }
            case "ms" -> sums.millis += number;
            default -> {
                // A later Sidekiq's.
            }
        }
    }

    /// Adds to a class that is known what one of `MetricsShape.RUNNERS` has run of it.
    void addByRunner(String jobClass, String runner, long runs) {
        Sums known = byClass.get(jobClass);
        if (known != null && MetricsShape.RUNNERS.contains(runner)) {
            known.byRunner.merge(runner, runs, Long::sum);
        }
    }

    private Sums sums(String jobClass) {
        Sums known = byClass.get(jobClass);
        if (known != null) {
            return known;
        }
        Sums sums = new Sums(processed.length / stepsOfBar);
        if (jobClass.length() <= NAME_MAX && byClass.size() < CLASSES_MAX) {
            byClass.put(jobClass, sums);
        }
        return sums;
    }

    List<ClassRuns> classes() {
        List<ClassRuns> classes = new ArrayList<>();
        byClass.forEach((name, sums) ->
                classes.add(
                        new ClassRuns(
                                name,
                                sums.processed,
                                sums.failed,
                                sums.millis,
                                ClassRuns.ByRunner.of(sums.processed, sums.byRunner),
                                Arrays.stream(sums.bars).boxed().toList(),
                                RunTimes.NONE)));
        return classes;
    }

    List<ClassTable.Step> steps(List<Instant> times) {
        List<ClassTable.Step> steps = new ArrayList<>();
        for (int i = 0; i < processed.length; i++) {
            steps.add(new ClassTable.Step(times.get(i).getEpochSecond(), processed[i], failed[i]));
        }
        return steps;
    }
}
