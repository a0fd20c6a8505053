package dev.mawashi.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.alarm.JvmReading;
import dev.mawashi.alarm.Reading;
import dev.mawashi.alarm.RedisReading;
import dev.mawashi.event.Event;
import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.figures.Stats;
import dev.mawashi.fleet.AlarmView;
import dev.mawashi.fleet.RestartView;
import dev.mawashi.http.Answer;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.sizing.ServingPool;
import dev.mawashi.sizing.WantedSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ExpositionTest {
    private final Exposition exposition = new Exposition();
    private final EventTally events = new EventTally();
    private AlarmFigures alarms = AlarmFigures.NONE;
    private RestartView code =
            new RestartView(RestartView.State.NONE, 1, "", Duration.ZERO, List.of());

    private List<String> lines(@Nullable Stats stats, ProcessFigures own) {
        return lines(exposition.answer(fleet(stats), Optional.of(own)));
    }

    private static Optional<FleetReading> fleet(@Nullable Stats stats) {
        return Optional.ofNullable(stats)
                .map(known -> new FleetReading(known, List.of(size("a", 3), size("b", 0))));
    }

    /// @param wanted 0: unknown
    private static WantedSize size(String queue, long wanted) {
        ServingPool pool =
                new ServingPool(List.of(queue, "low"), 1, 10, 1, 0, 0, OptionalDouble.empty());
        return new WantedSize(
                pool, wanted == 0 ? OptionalLong.empty() : OptionalLong.of(wanted), "");
    }

    private static List<String> lines(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8).lines().toList();
    }

    private ProcessFigures own(List<ClassRuns> classes) {
        ProcessFigures.Pool pool =
                new ProcessFigures.Pool("default", "mri", 10, 3, 7, 2, 1_500_000_000);
        return new ProcessFigures(
                true, List.of(pool), Map.of("mri", classes), events, alarms, Optional.of(code));
    }

    private static ClassRuns runs(String jobClass, long processed) {
        List<Long> buckets =
                new ArrayList<>(Collections.nCopies(RunTallies.boundsMillis().size() + 1, 0L));
        buckets.set(0, processed - 1);
        buckets.set(buckets.size() - 1, 1L);
        return new ClassRuns(jobClass, processed + 5, 5, 2_500, buckets);
    }

    private static Stats stats(int queues) {
        List<Stats.QueueStats> rows =
                IntStream.range(0, queues)
                        .mapToObj(i ->
                                new Stats.QueueStats("q" + i, i, 1, 0.5, i % 2 == 1, true, true))
                        .toList();
        return new Stats(100, 10, 3, 4, 5, 2, 6, rows);
    }

    @Test
    void tellsOfTheFleetAndOfThisProcess() {
        events.on(new Event.JobsRecovered("q", List.of("a"), 4, List.of()));

        assertThat(lines(stats(2), own(List.of(runs("AJob", 3)))))
                .contains(
                        "mawashi_redis_up 1.0",
                        "mawashi_ready 1.0",
                        "mawashi_queue_depth{queue=\"q1\"} 1.0",
                        "mawashi_queue_in_flight{queue=\"q0\"} 1.0",
                        "mawashi_queue_latency_seconds{queue=\"q0\"} 0.5",
                        "mawashi_queue_paused{queue=\"q1\"} 1.0",
                        "mawashi_queue_served{queue=\"q1\"} 1.0",
                        "mawashi_enqueued_jobs 1.0",
                        "mawashi_scheduled_jobs 3.0",
                        "mawashi_retry_jobs 4.0",
                        "mawashi_dead_jobs 5.0",
                        "mawashi_processes 2.0",
                        "mawashi_scale_processes{queues=\"a,low\"} 3.0",
                        "mawashi_busy_jobs 6.0",
                        "mawashi_fleet_runs_total 100.0",
                        "mawashi_fleet_runs_failed_total 10.0",
                        "mawashi_slots{capsule=\"default\",runner=\"mri\"} 10.0",
                        "mawashi_busy_slots{capsule=\"default\",runner=\"mri\"} 3.0",
                        "mawashi_runs_total{capsule=\"default\",outcome=\"succeeded\",runner=\"mri\"} 5.0",
                        "mawashi_runs_total{capsule=\"default\",outcome=\"failed\",runner=\"mri\"} 2.0",
                        "mawashi_busy_seconds_total{capsule=\"default\",runner=\"mri\"} 1.5",
                        "mawashi_run_seconds_bucket{class=\"AJob\",runner=\"mri\",le=\"0.02\"} 2",
                        "mawashi_run_seconds_bucket{class=\"AJob\",runner=\"mri\",le=\"335.0\"} 2",
                        "mawashi_run_seconds_bucket{class=\"AJob\",runner=\"mri\",le=\"+Inf\"} 3",
                        "mawashi_run_seconds_count{class=\"AJob\",runner=\"mri\"} 3",
                        "mawashi_run_seconds_sum{class=\"AJob\",runner=\"mri\"} 2.5",
                        "mawashi_run_failures_total{class=\"AJob\",runner=\"mri\"} 5.0",
                        "mawashi_jobs_recovered_total 4.0")
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\"}"))
                .anyMatch(line -> line.startsWith("process_cpu_seconds_total "))
                .noneMatch(line -> line.startsWith("mawashi_scale_processes{queues=\"b"));
    }

    @Test
    void generationsOfCodeAreFigures() {
        assertThat(lines(null, own(List.of())))
                .contains(
                        "mawashi_generation 1.0",
                        "mawashi_generations 1.0",
                        "mawashi_old_code_busy_slots 0.0",
                        "mawashi_restart_failed 0.0")
                .noneMatch(line -> line.startsWith("mawashi_oldest_code"));
        Instant since = Instant.ofEpochSecond(1_795_225_700L);
        code =
                new RestartView(
                        RestartView.State.FAILED,
                        3,
                        "no",
                        Duration.ZERO,
                        List.of(
                                new RestartView.Generation(1, 1, 2, Optional.of(since)),
                                new RestartView.Generation(2, 1, 1, Optional.empty()),
                                new RestartView.Generation(
                                        3, 4, 5, Optional.of(since.plusSeconds(9)))));
        assertThat(lines(null, own(List.of())))
                .contains(
                        "mawashi_generation 3.0",
                        "mawashi_generations 3.0",
                        "mawashi_old_code_busy_slots 3.0",
                        "mawashi_restart_failed 1.0",
                        "mawashi_oldest_code_timestamp_seconds 1.7952257E9");
    }

    @Test
    void eachAlarmIsAFigureAndSoIsWhatItWasJudgedBy() {
        Instant end = Instant.ofEpochSecond(1_795_225_700L);
        RedisReading redis =
                new RedisReading(Duration.ofMillis(2), List.of(), 3, 4, 9_999, Optional.of(end));
        JvmReading jvm = new JvmReading(1, 2, Duration.ZERO, 1, 2, 3, List.of());
        var children = Map.of(7L, new Reading.Child(100, 9), 8L, new Reading.Child(28, 0));
        alarms =
                new AlarmFigures(
                        List.of(new AlarmView("heap_full", "text", end)),
                        Optional.of(
                                new Reading(
                                        Duration.ZERO,
                                        end,
                                        jvm,
                                        children,
                                        0,
                                        0,
                                        0,
                                        Optional.of(redis))));

        assertThat(lines(null, own(List.of())))
                .contains(
                        "mawashi_alarm{alarm=\"heap_full\"} 1.0",
                        "mawashi_alarm{alarm=\"redis_slow\"} 0.0",
                        "mawashi_children_memory_bytes 131072.0",
                        "mawashi_redis_round_trip_seconds 0.002",
                        "mawashi_suspect_jobs 3.0",
                        "mawashi_dead_jobs_max 9999.0",
                        "mawashi_redis_certificate_end_timestamp_seconds 1.7952257E9");
    }

    @Test
    void withoutRedisItTellsWhatItKnows() {
        assertThat(lines(null, own(List.of())))
                .contains("mawashi_redis_up 0.0", "mawashi_ready 1.0")
                .noneMatch(line -> line.startsWith("mawashi_queue_depth"));
    }

    @Test
    void runsOfAClassOnTwoRunnersAreApart() {
        ProcessFigures both =
                new ProcessFigures(
                        true,
                        List.of(),
                        Map.of(
                                "mri", List.of(runs("AJob", 3)),
                                "jruby", List.of(runs("AJob", 4), runs("BJob", 1))),
                        events,
                        alarms,
                        Optional.of(code));

        assertThat(lines(null, both))
                .contains(
                        "mawashi_run_seconds_count{class=\"AJob\",runner=\"mri\"} 3",
                        "mawashi_run_seconds_count{class=\"AJob\",runner=\"jruby\"} 4",
                        "mawashi_run_seconds_count{class=\"BJob\",runner=\"jruby\"} 1");
    }

    @Test
    void whereNoJobsRunItTellsOfTheFleetAndTheJvm() {
        assertThat(lines(exposition.answer(fleet(stats(2)), Optional.empty())))
                .contains("mawashi_redis_up 1.0", "mawashi_queue_depth{queue=\"q1\"} 1.0")
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\"}"))
                .noneMatch(line -> line.startsWith("mawashi_ready"))
                .noneMatch(line -> line.startsWith("mawashi_slots"))
                .noneMatch(line -> line.startsWith("mawashi_jobs_recovered"));
    }

    @Test
    void ofManyClassesThoseThatRanLeastAreToldTogether() {
        List<ClassRuns> classes =
                IntStream.rangeClosed(1, 300).mapToObj(i -> runs("C" + i, i)).toList();

        List<String> counts =
                lines(null, own(classes)).stream()
                        .filter(line -> line.startsWith("mawashi_run_seconds_count"))
                        .toList();

        assertThat(counts)
                .hasSize(OwnFigures.CLASSES_MAX)
                .contains("mawashi_run_seconds_count{class=\"C300\",runner=\"mri\"} 300")
                .contains("mawashi_run_seconds_count{class=\"C102\",runner=\"mri\"} 102")
                .contains(
                        "mawashi_run_seconds_count{class=\"other\",runner=\"mri\"} "
                                + 101 * 102 / 2);
    }

    @Test
    void ofManyQueuesTheFirstHaveTheirOwnFigures() {
        assertThat(lines(stats(1_500), own(List.of())))
                .filteredOn(line -> line.startsWith("mawashi_queue_depth{"))
                .hasSize(FleetFigures.QUEUES_MAX);
        assertThat(lines(stats(1_500), own(List.of()))).contains("mawashi_queues 1500.0");
    }

    @Test
    void oddNamesAreEscaped() {
        assertThat(lines(null, own(List.of(runs("A\"\\\nJob", 1)))))
                .contains("mawashi_run_seconds_count{class=\"A\\\"\\\\\\nJob\",runner=\"mri\"} 1");
    }

    @Test
    void aNameForgesNoLineAndNoFigure() {
        String forged = "q\"} 1\nmawashi_ready 0\nmawashi_queue_depth{queue=\"x";
        Stats.QueueStats queue = new Stats.QueueStats(forged, 7, 1, 0.5, false, true, true);

        assertThat(lines(new Stats(1, 1, 1, 1, 1, 1, 1, List.of(queue)), own(List.of())))
                .filteredOn(line -> line.startsWith("mawashi_ready"))
                .containsExactly("mawashi_ready 1.0");
    }

    @Test
    void ofAHundredThousandClassesWithNamesOfAMegabyteAScrapeStaysSmall() {
        String begin = "C".repeat(1 << 20);
        List<ClassRuns> classes =
                IntStream.range(0, 300)
                        .mapToObj(i -> runs(begin + i, 5))
                        .collect(Collectors.toCollection(ArrayList::new));
        IntStream.range(0, 100_000).forEach(i -> classes.add(runs("D" + i, 2)));

        List<String> lines = lines(null, own(classes));

        assertThat(lines.stream().mapToInt(String::length).sum()).isLessThan(3 << 20);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("mawashi_run_seconds_count"))
                .hasSize(OwnFigures.CLASSES_MAX);
        // Two that look alike in the end.
        List<ClassRuns> alike =
                List.of(runs("x".repeat(200) + "Aa", 1), runs("x".repeat(200) + "BB", 1));
        assertThat(lines(null, own(alike)))
                .filteredOn(line -> line.startsWith("mawashi_run_seconds_count"))
                .hasSize(1);
    }
}
