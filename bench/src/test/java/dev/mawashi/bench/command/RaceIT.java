package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.figures;
import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.chart.Markup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Races with real servers and few jobs: that they count right, not how fast anything is. Each
/// fails by itself when jobs were lost, run twice or left in Redis.
///
/// Long: two dozen servers; SmallRunIT has a benchmark from its words to its figures.
@Tag("long")
final class RaceIT {
    @Test
    void everyNoopIsCountedOnceForBothSides() {
        assertThat(
                        run(
                                "noop --jobs 2000 --runner jruby,mri --peer sidekiq,resque"
                                        + " --peer-jobs 2000 --middleware 4 --job-log"))
                .contains("mawashi-jruby, start included", "mawashi-mri, start included")
                .contains("sidekiq without its start", "pairs", "resque is left out")
                .contains("log level info", "two lines per job");
    }

    @Test
    void waitingJobsAreNeverFasterThanIdeal() {
        Map<String, Double> figures = figures(run("io --seconds 1 --rows virtual-50 --json"));
        assertThat(figures.get("of_ideal")).isBetween(0.0, 1.0);
        assertThat(figures.get("allocated_megabytes")).isGreaterThan(1);
    }

    @Test
    void eachForkCountsItsJob() {
        assertThat(run("fork --jobs 20 --rows fork-2,loop-2"))
                .containsPattern("fork-2 +20 jobs per run")
                .contains("x loop-2 (pairs)", "x 228/s");
    }

    @Test
    void childrenOfARailsAppAreMeasuredApartFromTheServer() {
        Map<String, Double> figures =
                figures(run("memory --app src/test/ruby/rails --jobs 4000 --rows mri-2x2 --json"));
        assertThat(figures.get("ruby_pss_megabytes"))
                .isGreaterThan(10)
                .isLessThan(figures.get("all_pss_megabytes"));
        // Of fewer jobs one of the two may run all before the other is there.
        assertThat(figures.get("least_jobs_of_a_process")).isBetween(1.0, 2000.0);
    }

    @Test
    void theCoresAreDrawnBesideThePage(@TempDir Path folder) throws IOException {
        run("sha --jobs 200 --rows mri-1x2,sidekiq-1x2 --report " + folder.resolve("r.html"));

        String picture = Files.readString(folder.resolve("r-sha.svg"));
        assertThat(Markup.parse(picture).getElementsByTagName("svg").getLength()).isEqualTo(3);
        assertThat(picture).contains("mri-1x2: ", "sidekiq-1x2: ", " jobs/s", "class=\"area ");
    }

    @Test
    void eachProbeTellsHowLongItTookToBegin() {
        Map<String, Double> figures = figures(run("latency --probes 3 --rows mri-1x1 --json"));
        assertThat(figures.get("p50_ms")).isPositive().isLessThanOrEqualTo(figures.get("max_ms"));
    }

    @Test
    void jobsOfALongQueueAreDoneOrStillQueued() {
        assertThat(run("backlog --jobs 1000 --backlog 20000 --row mri-1x4"))
                .contains("the long queue holds 20,000 jobs")
                .containsPattern("x short queue \\(pairs\\)");
    }

    @Test
    void everyScheduledJobRunsOnceAndNoneEarly() {
        assertThat(run("schedule --entries 5000 --probes 10 --seconds 1 --burst 1000 --threads 4"))
                .contains("1,000 due at once", "mawashi, s until moved");
    }

    @Test
    void everyJobIsCountedOnceFromFarAway() {
        assertThat(run("rtt --jobs 300 --rows mri-1x2"))
                .containsPattern("mri-1x2, 1 ms: [0-9.]+ of what it does without")
                .contains("x mri-1x2, 0 ms (pairs)");
    }

    @Test
    void aWarmServerIsMeasuredWithMoreAndMoreQueues() {
        // The system counts CPU time in ticks of 10 ms: a few hundred jobs may take none.
        String json = run("scaling --jobs 3000 --series queues --to queues=3 --row mri-1x2 --json");
        assertThat(json)
                .contains("\"name\":\"queues 3\"", "is the bound")
                .contains("\"jobs\":3000");
        Map<String, Double> figures = figures(json);
        assertThat(figures.get("server_us_per_job")).isPositive();
        assertThat(figures.get("allocated_bytes_per_job")).isBetween(100.0, 100_000.0);
    }

    @Test
    void jobsThatJobsEnqueueAreCountedToo() {
        assertThat(run("fanout --jobs 20 --peer-jobs 20 --rows mri-1x2,sidekiq-1x2"))
                .containsPattern("mri-1x2 +220 jobs per run")
                .contains("x sidekiq-1x2 (pairs)");
    }

    /// A lock that the run left would end it.
    @Test
    void aLockIsCountedBesideItsJob() {
        String json = run("features --jobs 50 --rows mri-1x2,sidekiq-1x2 --json");

        assertThat(json)
                .contains("mri-1x2, plain", "mri-1x2, expires_in", "sidekiq-1x2, plain")
                .contains("\"push_us_per_job\":", "\"cpu_us_per_job\":", "\"times_reference\":");
        assertThat(bytes(json, "unique_for")).isGreaterThan(bytes(json, "plain") + 50);
    }

    private static double bytes(String json, String feature) {
        String ours = json.substring(json.indexOf("\"mri-1x2, " + feature + "\""));
        Matcher field =
                Pattern.compile("\"lock_bytes_per_job\":\\{?(?:\"median\":)?([\\d.]+)")
                        .matcher(ours);
        assertThat(field.find()).isTrue();
        return Double.parseDouble(field.group(1));
    }
}
