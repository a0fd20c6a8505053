package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.chart.Markup;
import dev.mawashi.bench.report.CommandEnd;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Page;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.TextReport;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Run;
import dev.mawashi.bench.rig.ScaleRace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ScalingTest {
    private static final Machine MACHINE = new Machine(2, "CPU", "Linux 6", "25", "0.1", "10.1");

    private static Run lap(double rate, double serverCores, double redisCores) {
        return Run.EMPTY
                .with("jobs_per_second", rate)
                .with("megabytes_per_second", rate * 160 / 1e6)
                .with("server_us_per_job", serverCores * 1e6 / rate)
                .with("redis_us_per_job", redisCores * 1e6 / rate)
                .with("allocated_bytes_per_job", 500)
                .with("server_cores", serverCores)
                .with("redis_cores", redisCores);
    }

    private static Run busy(Run lap, String name, double cores) {
        return lap.with("busiest", name).with("busiest_thread_cores", cores);
    }

    private static String bound(
            double serverCores, double redisCores, String name, double cores, int all) {
        return Bound.of(busy(lap(1_000, serverCores, redisCores), name, cores), all);
    }

    private static Result result(Scale scale, int value, Run run) {
        List<String> command = List.of("mawashi");
        return new Result(
                new Contestant(
                        scale.label(value),
                        "mawashi run",
                        command,
                        Map.of(),
                        1,
                        1_000,
                        JobSource.SIDEKIQ),
                List.of(run));
    }

    private static final Result SLOW =
            result(Scale.THREADS, 1, busy(lap(250, 0.1, 0.1), "mawashi-slot-1", 0.1));
    private static final Result FAST =
            result(Scale.THREADS, 25, busy(lap(1_000, 0.9, 0.95), "mawashi-slot-1", 0.3));
    private static final Result LARGE =
            result(Scale.PAYLOAD, 100, busy(lap(1_000, 1.2, 0.6), "mawashi-claim-1", 0.4));

    private static ScalingFigures figures() {
        Map<Scale, Map<Integer, Result>> series = new EnumMap<>(Scale.class);
        series.put(Scale.THREADS, new TreeMap<>(Map.of(1, SLOW, 25, FAST)));
        series.put(Scale.PAYLOAD, Map.of(100, LARGE));
        return new ScalingFigures(series, MACHINE.cores());
    }

    private static Figures report() {
        List<Result> all = List.of(SLOW, FAST, LARGE);
        return figures().fill(new Figures("scaling", "7.0 (redis)", all, List.of("a note")));
    }

    @Test
    void whatIsBusyAllTheTimeIsTheBound() {
        assertThat(bound(0.9, 0.95, "mawashi-slot-1", 0.3, 2))
                .isEqualTo("Redis's one thread is the bound: it is busy 95 % of the time");
        assertThat(bound(1.0, 0.2, "ruby", 0.96, 2))
                .isEqualTo("a Ruby process is the bound: it is busy 96 % of the time");
        assertThat(bound(1.0, 0.2, "mawashi-claim-1", 0.9, 4))
                .startsWith("the thread mawashi-claim-1 is the bound");
        assertThat(bound(1.2, 0.6, "mawashi-slot-1", 0.9, 2))
                .startsWith("the machine's CPU is the bound: the server has 1.20 and Redis 0.60");
        assertThat(bound(0.7, 0.6, "mawashi-slot-1", 0.2, 2)).startsWith("waiting is the bound");
    }

    @Test
    void aSentenceTellsOfTheFastestPointAndOfTheSlowerEnd() {
        assertThat(figures().bound(Scale.THREADS))
                .startsWith("at threads 25, 1,000 jobs/s, Redis's one thread")
                .contains("; at threads 1, 250 jobs/s, waiting is the bound")
                .endsWith(".");
        assertThat(figures().bound(Scale.PAYLOAD)).doesNotContain("; at");
    }

    @Test
    void eachSeriesHasATableAndCharts() {
        StringWriter out = new StringWriter();
        TextReport.print(report(), new PrintWriter(out));
        assertThat(out.toString())
                .containsPattern("threads 1 +1,000 jobs per run: mawashi run")
                .containsPattern("payload 100 +1,000 jobs per run: mawashi run")
                .contains("At threads 25", "a note");
        CommandEnd.Step step = new CommandEnd.Step("scaling", "More and more.", "scaling");
        String html =
                new Page("scaling", List.of(new CommandEnd.Done(step, report())))
                        .html(MACHINE, Instant.EPOCH);
        // Rate and cost of each series, and bytes per second of that of payloads.
        assertThat(Markup.parse(html).getElementsByTagName("svg").getLength()).isEqualTo(5);
        assertThat(html).contains("threads 25", "At threads 25").doesNotContain("NaN");
    }

    @Test
    void theBusiestIsFoundByWhatItUsedMeanwhile() {
        Run busiest =
                ScaleRace.busiest(
                        Map.of("7 mawashi-slot-1", 5.0, "8 ruby", 1.0),
                        Map.of("7 mawashi-slot-1", 5.1, "8 ruby", 2.0, "9 new", 0.5),
                        2);
        assertThat(busiest.fields())
                .containsEntry("busiest", "ruby")
                .containsEntry("busiest_thread_cores", 0.5);
    }

    @Test
    void aSeriesEndsWhereItIsTold() {
        assertThat(Scale.QUEUES.values(30)).containsExactly(1, 10, 30);
        assertThat(Scale.BACKLOG.values(5_000_000)).endsWith(1_000_000, 5_000_000);
    }
}
