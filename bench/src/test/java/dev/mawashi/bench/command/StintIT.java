package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.figures;
import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The benchmarks that watch a server beside its work, with real servers and few jobs. Each fails
/// by itself when jobs were lost, run twice or left in Redis.
///
/// Long: several servers; SmallRunIT has a benchmark from its words to its figures.
@Tag("long")
final class StintIT {
    @Test
    void whatJobsWriteToIsNoLongerShared() {
        Matcher after =
                Pattern.compile("\"pss_after_megabytes\":([0-9.]+)")
                        .matcher(run("sharing --jobs 70 --rows mri-2x1 --json"));
        List<Double> both = after.results().map(one -> Double.valueOf(one.group(1))).toList();
        assertThat(both).hasSize(2);
        assertThat(both.getLast())
                .as("writing, beside reading")
                .isGreaterThan(both.getFirst() + 20);
    }

    @Test
    void theServersAllocationsAreCountedByJob() {
        assertThat(figures(run("garbage --jobs 2000 --rows mri-1x2 --json")).get("bytes_per_job"))
                .isBetween(100.0, 100_000.0);
    }

    @Test
    void jobsShareTheThreadsThatAreThere() {
        String json = run("threads --jobs 10 --threads 3 --json");
        assertThat(json).contains("\"name\":\"10 jobs\"", "\"name\":\"1000 jobs\"");
        int withFibers = json.indexOf("\"name\":\"1000 jobs, a fiber each\"");
        Map<String, Double> largest = figures(json.substring(0, withFibers));
        assertThat(largest.get("fibers_that_ran_jobs")).isBetween(1.0, 3.0);
        assertThat(largest.get("threads_started")).isLessThan(100);
        assertThat(figures(json).get("threads_started")).isGreaterThanOrEqualTo(1000);
    }

    @Test
    void anIdleServerIsWatchedWithOneQueueAndWithMany() {
        String json = run("idle --seconds 5 --rest 1 --queues 5 --rows mri-1x1 --json");
        assertThat(json).contains("\"mri-1x1, 1 queue\"", "\"mri-1x1, 5 queues\"", "queue4");
        // Beat, lease and sweep are some commands every few seconds; looking for jobs would be
        // more.
        assertThat(figures(json).get("redis_commands_per_second")).isBetween(0.0, 30.0);
    }
}
