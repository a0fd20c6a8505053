package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The harness with real servers and few jobs: that it counts right, not how fast anything is.
final class RaceIT {
    private static final int JOBS = 2_000;

    @TempDir Path folder;

    @Test
    void everyJobIsCountedOnceForBothSides() throws InterruptedException {
        Path app = BenchFolder.app(folder, "noop.rb");
        try (BenchRedis redis = BenchRedis.start(System.getenv())) {
            Race race = new Race(redis, folder, InstantSource.system());
            // The launcher would build the checkout, which is being built just now.
            Contestant ours = Contestants.mawashi(javaCommand(), app, 4, JOBS);
            Contestant sidekiq = Contestants.sidekiq(app, 2, 5, JOBS).orElseThrow();
            for (Contestant one : List.of(ours, sidekiq)) {
                Figures figures = race.run(one.with(Map.of("BENCH_MIDDLEWARE", "4")));
                assertThat(figures.jobs()).isEqualTo(JOBS);
                assertThat(figures.curve().stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(JOBS);
                assertThat(figures.startSeconds()).isPositive();
                assertThat(figures.cpuSeconds()).isPositive();
            }
        }
    }

    @Test
    void everyScheduledJobRunsOnceAndNoneEarly() throws InterruptedException {
        BenchFolder.app(folder, "noop.rb");
        Path app = BenchFolder.app(folder, "schedule.rb");
        ScheduleRace.Load load = new ScheduleRace.Load(5_000, 10, 1, 1_000);
        try (BenchRedis redis = BenchRedis.start(System.getenv())) {
            ScheduleRace race = new ScheduleRace(redis, folder, InstantSource.system(), load);
            Contestant ours = Contestants.mawashi(javaCommand(), app, 4, load.burst());

            ScheduleFigures figures = race.run(ours);

            assertThat(figures.lateMillis()).hasSize(10).allMatch(late -> late > 0);
            assertThat(figures.percentile(50)).isLessThanOrEqualTo(figures.latest());
            assertThat(figures.movedSeconds()).isBetween(0.0, figures.ranSeconds() + 0.1);
            assertThat(figures.scriptMillis()).isPositive();
            assertThat(figures.idleMillis()).isPositive();
            Map<Contestant, List<ScheduleFigures>> runs = Map.of(ours, List.of(figures));
            ScheduleReport report =
                    new ScheduleReport(Machine.here(), "redis", load, runs, List.of());
            StringWriter text = new StringWriter();
            report.print(new PrintWriter(text));
            assertThat(text.toString()).contains("1,000 due at once", "mawashi, s until moved");
            assertThat(report.json()).contains("\"late_ms\":[").endsWith("\"notes\":[]}");
        }
    }

    private static List<String> javaCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xss2m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.mawashi.cli.Main");
    }
}
