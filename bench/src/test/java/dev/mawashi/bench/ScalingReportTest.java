package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScalingReportTest {
    private static final Machine MACHINE = new Machine(2, "CPU", "Linux 6", "25", "0.1", "10.1");

    private static Lap lap(double serverCores, double redisCores, String name, double cores) {
        return new Lap(
                1_000, 160_000, 1, serverCores, redisCores, 500_000, new Lap.Part(name, cores));
    }

    private static ScalePoint point(Scale scale, int value) {
        Contestant one =
                new Contestant(
                        scale.label(value),
                        "mawashi run",
                        List.of("mawashi"),
                        Map.of(),
                        1,
                        1_000,
                        Intake.SIDEKIQ);
        return new ScalePoint(scale, value, one, List.of("default"), Payloads.NOOP, 0);
    }

    private static ScalingReport report() {
        Map<ScalePoint, List<Lap>> laps = new LinkedHashMap<>();
        Lap slow =
                new Lap(1_000, 160_000, 4, 0.4, 0.4, 500_000, new Lap.Part("mawashi-slot-1", 0.1));
        laps.put(point(Scale.THREADS, 1), List.of(slow));
        laps.put(point(Scale.THREADS, 25), List.of(lap(0.9, 0.95, "mawashi-slot-1", 0.3)));
        laps.put(point(Scale.PAYLOAD, 100), List.of(lap(1.2, 0.6, "mawashi-claim-1", 0.4)));
        return new ScalingReport(MACHINE, "7.0 (redis)", laps, List.of("a note"));
    }

    @Test
    void whatIsBusyAllTheTimeIsTheBound() {
        assertThat(lap(0.9, 0.95, "mawashi-slot-1", 0.3).bound(2))
                .isEqualTo("Redis's one thread is the bound: it is busy 95 % of the time");
        assertThat(lap(1.0, 0.2, "ruby", 0.96).bound(2))
                .isEqualTo("a Ruby process is the bound: it is busy 96 % of the time");
        assertThat(lap(1.0, 0.2, "mawashi-claim-1", 0.9).bound(4))
                .startsWith("the thread mawashi-claim-1 is the bound");
        assertThat(lap(1.2, 0.6, "mawashi-slot-1", 0.9).bound(2))
                .startsWith("the machine's CPU is the bound: the server has 1.20 and Redis 0.60");
        assertThat(lap(0.7, 0.6, "mawashi-slot-1", 0.2).bound(2))
                .startsWith("waiting is the bound");
    }

    @Test
    void aSentenceTellsOfTheFastestPointAndOfTheSlowerEnd() {
        assertThat(report().bound(Scale.THREADS))
                .startsWith("at threads 25, 1,000 jobs/s, Redis's one thread")
                .contains("; at threads 1, 250 jobs/s, waiting is the bound")
                .endsWith(".");
        assertThat(report().bound(Scale.PAYLOAD)).doesNotContain("; at");
    }

    @Test
    void eachSeriesHasATableAndCharts() {
        StringWriter out = new StringWriter();
        report().print(new PrintWriter(out));
        assertThat(out.toString())
                .contains("threads, first: mawashi run", "payload, first: mawashi run")
                .contains("At threads 25", "a note");
        Outcome.Step step = new Outcome.Step("scaling", "More and more.", "scaling");
        String html =
                new Page("scaling", List.of(new Outcome.Done(step, report())))
                        .html(MACHINE, Instant.EPOCH);
        // Rate and cost of each series, and bytes a second of that of payloads.
        assertThat(Markup.parse(html).getElementsByTagName("svg").getLength()).isEqualTo(5);
        assertThat(html).contains("threads 25", "At threads 25").doesNotContain("NaN");
    }

    @Test
    void theBusiestIsFoundByWhatItUsedMeanwhile() {
        Lap.Part part =
                Lap.Part.busiest(
                        Map.of("7 mawashi-slot-1", 5.0, "8 ruby", 1.0),
                        Map.of("7 mawashi-slot-1", 5.1, "8 ruby", 2.0, "9 new", 0.5),
                        2);
        assertThat(part).isEqualTo(new Lap.Part("ruby", 0.5));
    }

    @Test
    void aSeriesEndsWhereItIsTold() {
        assertThat(Scale.QUEUES.values(30)).containsExactly(1, 10, 30);
        assertThat(Scale.BACKLOG.values(5_000_000)).endsWith(1_000_000, 5_000_000);
    }
}
