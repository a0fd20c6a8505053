package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.chart.Markup;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.CommandEnd;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Page;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

final class PageTest {
    private static final Machine MACHINE =
            new Machine(2, "CPU <fast> & \"cheap\"", "Linux 6", "25", "0.1", "10.1");
    private static final CommandEnd.Step STEP =
            new CommandEnd.Step("noop", "What it costs, <really>.", "noop --jobs 1000");

    @TempDir private Path folder;

    private static Contestant contestant(String name) {
        String form = name + " 1.0, ruby 3 & more, 10 threads, log level warn";
        return new Contestant(name, form, List.of(name), Map.of(), 1, 1_000, JobSource.SIDEKIQ);
    }

    private static Run run(double startSeconds, double workSeconds) {
        return Run.EMPTY
                .with("start_seconds", startSeconds)
                .with("work_seconds", workSeconds)
                .with("total_seconds", startSeconds + workSeconds)
                .with("jobs_per_second", 1_000 / (startSeconds + workSeconds))
                .with("jobs_per_second_working", 1_000 / workSeconds)
                .with("jobs_per_second_second_half", 1_000 / workSeconds)
                .with("cpu_us_per_job", 1_000)
                .with("redis_us_per_job", 500)
                .with("peak_megabytes", 256)
                .with("allocated_megabytes", 512)
                .with("curve_jobs", List.of(400L, 600L))
                .with("cores_seconds", List.of(0.2, 0.4))
                .with("cores_busy", List.of(List.of(0.5, 1.0)));
    }

    private static Result result(String name, Run... runs) {
        return new Result(contestant(name), List.of(runs));
    }

    private static Figures results() {
        List<Result> results =
                List.of(
                        result("mawashi-jruby", run(1, 1), run(1, 3), run(1, 1.5)),
                        result("mawashi-mri", run(0.5, 2), run(0.5, 2), run(0.5, 2)),
                        result("sidekiq", run(1, 10), run(1, 10), run(1, 10)));
        String redis = "7.0 (redis)";
        return new NoopFigures(results, List.of(5_000.0))
                .fill(new Figures("noop", redis, results, List.of("a <note>")), redis);
    }

    private static Run late(double seconds) {
        return Run.EMPTY.with("first_job_seconds", seconds).with("began_ms", List.of(seconds));
    }

    private static Figures table(double figure) {
        List<Result> results =
                List.of(result("jruby-1", late(figure)), result("sidekiq-1x1", late(2.0)));
        Column column = new Column("first job s", "first_job_seconds", 2);
        return new Figures("boot", "7.0", results, List.of())
                .rows(
                        Figures.View.lessIsBetter(column),
                        Optional.of(
                                new Multiples(results.getLast(), column.field(), column.field())),
                        Charts.PERCENTILES,
                        Charts.percentiles("Times", "began_ms", results));
    }

    private static String page(CommandEnd... outcomes) {
        return new Page("noop --jobs <1>", List.of(outcomes)).html(MACHINE, Instant.EPOCH);
    }

    @Test
    void aPageIsWellFormedAndHasAPlotOfEverything() {
        String html = page(new CommandEnd.Done(STEP, results()));
        Document page = Markup.parse(html);
        // Bars of three figures, a warm-up, and the cores of three contestants.
        assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(7);
        assertThat(html)
                .contains("CPU &lt;fast&gt; &amp; &quot;cheap&quot;")
                .contains("a &lt;note&gt;", "What it costs, &lt;really&gt;.")
                .contains("1970-01-01 00:00 UTC", ">4.0 x<")
                .doesNotContain("NaN");
    }

    @Test
    void ratiosAreToTheFastestSidekiq() {
        List<Result> several =
                List.of(
                        result("mawashi", run(1, 1)),
                        result("resque", run(1, 1)),
                        result("sidekiq-1x5", run(1, 10)),
                        result("sidekiq-yjit-2x5", run(1, 4)),
                        result("sidekiq-2x5", run(1, 5)));
        assertThat(new NoopFigures(several, List.of()).withPeer())
                .get()
                .extracting(with -> with.reference().name())
                .isEqualTo("sidekiq-yjit-2x5");
    }

    @Test
    void aPageLoadsNothing() {
        String html = page(new CommandEnd.Done(STEP, results()));
        assertThat(html.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
                .doesNotContain("http:", "https:", "url(", "@import", "<script", "<link", "<img");
    }

    @Test
    void whatFailedIsToldAmongTheOthers() {
        String html =
                page(
                        new CommandEnd.Failed(STEP, "no <Redis>"),
                        new CommandEnd.Done(STEP, table(1.5)));
        Markup.parse(html);
        assertThat(html).contains("Failed: no &lt;Redis&gt;", ">1.50 s<", "first job, jruby-1");
    }

    @Test
    void figuresThatMeanNothingDoNotSpoilThePage() {
        String html = page(new CommandEnd.Done(STEP, table(Double.NaN)));
        Markup.parse(html);
        assertThat(html).contains("class=\"figure\"", ">none</text>");
    }

    @Test
    void thePictureOfNoopIsWrittenBesideThePage() throws IOException {
        new Page("noop", List.of(new CommandEnd.Done(STEP, results())))
                .write(folder.resolve("r.html"));
        String picture = Files.readString(folder.resolve("r-noop.svg"));
        Markup.parse(picture);
        assertThat(picture)
                .contains("Mawashi on JRuby", "Mawashi on MRI", "sidekiq 1.0")
                .contains(">400 (4.0 x)<", "prefers-color-scheme: dark");
    }
}
