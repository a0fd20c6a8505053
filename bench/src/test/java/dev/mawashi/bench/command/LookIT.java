package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.figures;
import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The benchmarks that look at a server from outside: by commands and the probe, by its pages, and
/// by what its jobs leave in a database. Real servers and few jobs; each fails by itself when jobs
/// were lost, run twice or left in Redis.
///
/// Long: several servers; SmallRunIT has a benchmark from its words to its figures.
@Tag("long")
final class LookIT {
    @Test
    void callsOfCommandsAndOfTheProbeAreMeasuredBesideAServer() {
        String json = run("calls --calls 2 --json");
        assertThat(json).contains("\"name\":\"stats\"", "\"name\":\"health\"", "health ");
        Map<String, Double> stats = figures(json.substring(0, json.indexOf("\"queues\"")));
        assertThat(stats.get("cpu_seconds_per_call")).isPositive();
    }

    @Test
    void pagesAreReadWithJobsInRedis() {
        String json = run("page --dead 300 --queued 300 --calls 2 --paths /dead,/nowhere,/ --json");
        assertThat(json).contains("\"name\":\"/dead\"", "/nowhere is left out");
        Map<String, Double> figures = figures(json);
        assertThat(figures.get("median_ms")).isBetween(0.0, figures.get("worst_ms"));
        // Fifty rows, each with its time, queue, class, arguments and error.
        assertThat(figures(json.substring(0, json.indexOf("\"GET /\""))).get("bytes"))
                .isGreaterThan(10_000);
    }

    @Test
    void everyOrderIsWrittenOnceByAllRubies() {
        String json = run("app --jobs 40 --peer-jobs 40 --rows jruby-2,mri-1x2,sidekiq-1x2 --json");
        assertThat(json).contains("\"reference\":\"sidekiq-1x2\"", "on PostgreSQL");
        Map<String, Double> figures = figures(json);
        // The service alone takes 20 ms.
        assertThat(figures.get("job_p50_ms")).isBetween(20.0, figures.get("job_p99_ms"));
    }

    @Test
    void everyOrderOfAWarmServerIsWrittenOnce() {
        String line = "app --warm 5 --rows jruby-2,sidekiq-1x2 --json";
        String json = run(line);
        assertThat(json).contains("\"reference\":\"sidekiq-1x2\"", "\"step_jobs_per_second\":[");
        Map<String, Double> figures = figures(json);
        assertThat(figures.get("jobs_done")).isGreaterThan(0);
        assertThat(figures.get("job_p50_ms")).isBetween(20.0, figures.get("job_p99_ms"));
        String table = run(line.replace(" --json", ""));
        assertThat(table).contains("x sidekiq-1x2 (pairs)", "flat 1/0");
    }
}
