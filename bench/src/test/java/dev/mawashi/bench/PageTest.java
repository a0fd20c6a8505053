package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

final class PageTest {
    private static final Machine MACHINE =
            new Machine(2, "CPU <fast> & \"cheap\"", "Linux 6", "25", "0.1", "10.1");
    private static final Outcome.Step STEP =
            new Outcome.Step("noop", "What it costs, <really>.", "noop --jobs 1000");

    @TempDir private Path folder;

    private static Contestant contestant(String name) {
        String form = name + " 1.0, ruby 3 & more, 10 threads, log level warn";
        return new Contestant(name, form, List.of(name), Map.of(), 1, 1_000, Intake.SIDEKIQ);
    }

    private static Figures run(double startSeconds, double workSeconds) {
        CoreLoad cores = new CoreLoad(List.of(0.2, 0.4), List.of(List.of(0.5, 1.0)));
        Figures.Usage usage =
                new Figures.Usage(1, 0.5, 1 << 28, 1 << 29, new Figures.Memory(1, 1, 0), cores);
        return new Figures(1_000, startSeconds, workSeconds, 0, 500, usage, List.of(400L, 600L));
    }

    private static Results results() {
        Map<Contestant, List<Figures>> runs = new LinkedHashMap<>();
        runs.put(contestant("mawashi-jruby"), List.of(run(1, 1), run(1, 3), run(1, 1.5)));
        runs.put(contestant("mawashi-mri"), List.of(run(0.5, 2), run(0.5, 2), run(0.5, 2)));
        runs.put(contestant("sidekiq"), List.of(run(1, 10), run(1, 10), run(1, 10)));
        return new Results(
                "noop", MACHINE, "7.0 (redis)", runs, List.of(5_000.0), List.of("a <note>"));
    }

    private static TableReport<Double> table(double figure) {
        Map<Contestant, List<Double>> runs = new LinkedHashMap<>();
        runs.put(contestant("jruby-1"), List.of(figure));
        runs.put(contestant("sidekiq-1x1"), List.of(2.0));
        return new TableReport<>(
                "boot",
                "7.0",
                List.of(new Column<>("first job s", "first_job_seconds", 2, run -> run)),
                runs,
                Optional.of(new Comparison<>(contestant("sidekiq-1x1"), run -> run, run -> run)),
                View.percentiles(List.of(), "Times", "began_ms", run -> List.of(run)),
                List.of());
    }

    private static String page(Outcome... outcomes) {
        return new Page("noop --jobs <1>", List.of(outcomes)).html(MACHINE, Instant.EPOCH);
    }

    @Test
    void aPageIsWellFormedAndHasAPlotOfEverything() {
        String html = page(new Outcome.Done(STEP, results()));
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
        Map<Contestant, List<Figures>> runs = new LinkedHashMap<>();
        runs.put(contestant("mawashi"), List.of(run(1, 1)));
        runs.put(contestant("resque"), List.of(run(1, 1)));
        runs.put(contestant("sidekiq-1x5"), List.of(run(1, 10)));
        runs.put(contestant("sidekiq-yjit-2x5"), List.of(run(1, 4)));
        runs.put(contestant("sidekiq-2x5"), List.of(run(1, 5)));
        Results several = new Results("noop", MACHINE, "7.0", runs, List.of(), List.of());
        assertThat(several.peer()).get().extracting(Contestant::name).isEqualTo("sidekiq-yjit-2x5");
    }

    @Test
    void aPageLoadsNothing() {
        String html = page(new Outcome.Done(STEP, results()));
        assertThat(html.replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
                .doesNotContain("http:", "https:", "url(", "@import", "<script", "<link", "<img");
    }

    @Test
    void whatFailedIsToldAmongTheOthers() {
        String html =
                page(new Outcome.Failed(STEP, "no <Redis>"), new Outcome.Done(STEP, table(1.5)));
        Markup.parse(html);
        assertThat(html).contains("Failed: no &lt;Redis&gt;", ">1.50 s<", "first job, jruby-1");
    }

    @Test
    void figuresThatMeanNothingDoNotSpoilThePage() {
        String html = page(new Outcome.Done(STEP, table(Double.NaN)));
        Markup.parse(html);
        assertThat(html).contains("class=\"figure\"", ">none</text>");
    }

    @Test
    void thePictureOfNoopIsWrittenBesideThePage() throws IOException {
        new Page("noop", List.of(new Outcome.Done(STEP, results())))
                .write(folder.resolve("r.html"));
        String picture = Files.readString(folder.resolve("r-noop.svg"));
        Markup.parse(picture);
        assertThat(picture)
                .contains("Mawashi on JRuby", "Mawashi on MRI", "sidekiq 1.0")
                .contains(">400 (4.0 x)<", "prefers-color-scheme: dark");
    }
}
