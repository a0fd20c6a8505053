package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The harness with real servers and few jobs: that it counts right, not how fast anything is.
final class RaceIT {
    private static final int JOBS = 2_000;

    @TempDir Path folder;

    @Test
    void everyJobIsCountedOnceForBothSides() throws InterruptedException {
        Path app = NoopCommand.app(folder);
        try (BenchRedis redis = BenchRedis.start(System.getenv())) {
            Race race = new Race(redis, folder, InstantSource.system());
            // The launcher would build the checkout, which is being built just now.
            Contestant ours = Contestants.mawashi(javaCommand(), app, 4, JOBS);
            Contestant sidekiq = Contestants.sidekiq(app, 2, 5, JOBS).orElseThrow();
            for (Contestant one : List.of(ours, sidekiq)) {
                Figures figures = race.run(one);
                assertThat(figures.jobs()).isEqualTo(JOBS);
                assertThat(figures.curve().stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(JOBS);
                assertThat(figures.startSeconds()).isPositive();
                assertThat(figures.cpuSeconds()).isPositive();
            }
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
