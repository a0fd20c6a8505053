package dev.mawashi.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.chart.Markup;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Run;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The same figures as text, as JSON and as a page.
final class ReportTest {
    private static final Figures.View VIEW =
            Figures.View.moreIsBetter(
                            new Column("jobs/s", "rate", 0), new Column("peak MB", "peak", 1))
                    .drawing("peak");

    private static Result result(String name, double... rates) {
        List<Run> runs = new ArrayList<>();
        for (double rate : rates) {
            runs.add(Run.EMPTY.with("rate", rate).with("peak", rate / 100));
        }
        Contestant contestant =
                new Contestant(
                        name, "as it is", List.of(name), Map.of(), 1, 1_000, JobSource.SIDEKIQ);
        return new Result(contestant, runs);
    }

    private static Figures figures() {
        List<Result> results =
                List.of(
                        result("jruby-10", 4_000, 2_000, 3_500),
                        result("sidekiq-1x5", 500, 1_000, 700));
        Multiples with = new Multiples(results.getLast(), "rate", "rate");
        return new Figures("sha", "7.0", results, List.of("a note")).rows(VIEW, Optional.of(with));
    }

    @Test
    void textHasMediansRangesAndMultiples() {
        StringWriter out = new StringWriter();
        TextReport.print(figures(), new PrintWriter(out));
        assertThat(out.toString().lines())
                .startsWith("sha, 3 runs each, in turn")
                .containsSequence(
                        "  redis           7.0, the same for all",
                        "  jruby-10        1,000 jobs per run: as it is",
                        "  sidekiq-1x5     1,000 jobs per run: as it is",
                        "",
                        "medians       jobs/s       min - max   peak MB   x sidekiq-1x5 (pairs)",
                        "jruby-10       3,500   2,000 - 4,000      35.0      5.00 (2.00 - 8.00)",
                        "sidekiq-1x5      700     500 - 1,000       7.0                       1",
                        "",
                        "a note");
    }

    @Test
    void jsonHasEveryRunInOrder() {
        String runs =
                "\"runs\":[{\"rate\":4000.0,\"peak\":40.0},{\"rate\":2000.0,\"peak\":20.0},"
                        + "{\"rate\":3500.0,\"peak\":35.0}]";
        String row =
                "{\"name\":\"jruby-10\",\"description\":\"as it is\",\"command\":[\"jruby-10\"],"
                        + "\"processes\":1,\"jobs\":1000,"
                        + runs
                        + ",\"times_reference\":[8.0,2.0,5.0],\"times_reference_median\":5.0}";
        assertThat(JsonReport.text(JsonReport.of(figures())))
                .startsWith("{\"bench\":\"sha\",\"machine\":{\"cores\":")
                .contains("\"reference\":\"sidekiq-1x5\",\"contestants\":[" + row + ",")
                .endsWith("],\"notes\":[\"a note\"]}");
    }

    @Test
    void aPageHasTheSameCellsAsTheText() {
        StringWriter out = new StringWriter();
        TextReport.print(figures(), new PrintWriter(out));
        String html =
                new Page(
                                "sha",
                                List.of(
                                        new CommandEnd.Done(
                                                new CommandEnd.Step("sha", "", "sha"), figures())))
                        .html(Machine.here(), Instant.EPOCH);
        NodeList rows = Markup.parse(html).getElementsByTagName("tr");
        assertThat(rows.getLength()).isEqualTo(3);
        for (int i = 0; i < rows.getLength(); i++) {
            NodeList cells = ((Element) rows.item(i)).getElementsByTagName("*");
            List<String> texts = new ArrayList<>();
            for (int j = 0; j < cells.getLength(); j++) {
                texts.add(cells.item(j).getTextContent());
            }
            assertThat(out.toString().replaceAll(" +", " ")).contains(String.join(" ", texts));
        }
        // The bars of both columns, and the headline of the first.
        assertThat(html).contains("Jobs/s, more is better", "Peak MB", ">5.0 x<");
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
        assertThat(result("jruby-10", 4, 1, 2, 9).middle("rate").of("rate")).isEqualTo(2);
    }
}
