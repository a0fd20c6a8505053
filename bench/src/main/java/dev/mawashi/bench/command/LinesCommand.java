package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.capital;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Axis;
import dev.mawashi.bench.chart.Chart;
import dev.mawashi.bench.chart.Curve;
import dev.mawashi.bench.report.Charts;
import dev.mawashi.bench.report.Column;
import dev.mawashi.bench.report.FigureTable;
import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.report.Multiples;
import dev.mawashi.bench.report.Part;
import dev.mawashi.bench.report.Result;
import dev.mawashi.bench.report.Spread;
import dev.mawashi.bench.rig.Checkout;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.JobSource;
import dev.mawashi.bench.rig.LinesText;
import dev.mawashi.bench.rig.Machine;
import dev.mawashi.bench.rig.Programs;
import dev.mawashi.bench.rig.Run;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi bench lines`.
@Command(
        name = "lines",
        description = {
            "Reads files by lines, with IO.foreach: MRI, JRuby, and JRuby with mawashi/fast_io. A"
                    + " tall file has lines of 20 to 60 bytes, a wide one lines of 64 KiB. Each"
                    + " process reads one file several times over; warm is the median pass of the"
                    + " second half."
        },
        footer = {"  mawashi bench lines --runs 5", "  mawashi bench lines --megabytes 200"})
final class LinesCommand implements Callable<Figures> {
    private static final int MEGABYTES_MAX = 2_000;
    private static final int PASSES_MAX = 1_000;
    private static final int MEGABYTE = 1_000_000;

    @Mixin private final Bench bench = new Bench();

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            description = "Size of each file (40). It should fit into the system's file cache.")
    private int megabytes = 40;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "How often a process reads its file (20).")
    private int passes = 20;

    @Override
    public Figures call() throws InterruptedException {
        bench.within("--megabytes", megabytes, MEGABYTES_MAX);
        bench.within("--passes", passes, PASSES_MAX);
        return bench.runAlone(folder -> {
            List<LinesText> texts = new ArrayList<>();
            for (LinesText.Form form : LinesText.Form.values()) {
                texts.add(LinesText.write(folder, form, (long) megabytes * MEGABYTE));
            }
            List<Column> told = texts.stream().map(LinesCommand::warm).toList();
            return figures(texts, bench.takeTurns(contestants(), one -> run(one, texts), told));
        });
    }

    private List<Contestant> contestants() {
        String script = Checkout.app("lines.rb").toString();
        List<Contestant> all = new ArrayList<>();
        if (Programs.find("ruby").isPresent()) {
            all.add(contestant("mri", Programs.ruby(), List.of("ruby", script)));
        } else {
            bench.note("mri is left out: there is no ruby on PATH (apt install ruby)");
        }
        String version = "JRuby " + Machine.here().jruby();
        all.add(contestant("jruby", version, jruby(script)));
        List<String> fast = jruby("-r", "mawashi/fast_io", script);
        all.add(contestant("mawashi", version + ", mawashi/fast_io", fast));
        return all;
    }

    /// JRuby in a JVM with this one's flags, which are those of the server.
    private static List<String> jruby(String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("org.jruby.Main", "-I", "uri:classloader:/"));
        command.addAll(List.of(words));
        return command;
    }

    private Contestant contestant(String name, String description, List<String> command) {
        return new Contestant(name, description, command, Map.of(), 1, passes, JobSource.NONE);
    }

    private static Run run(Contestant one, List<LinesText> texts) throws InterruptedException {
        Run run = Run.EMPTY;
        for (LinesText text : texts) {
            List<Double> seconds = text.read(one);
            double megabytes = (double) text.bytes() / MEGABYTE;
            List<Double> later = seconds.subList(seconds.size() / 2, seconds.size());
            double sum = seconds.stream().mapToDouble(Double::doubleValue).sum();
            String form = text.form().word();
            run =
                    run.with(warm(text).field(), megabytes / Spread.of(later).median())
                            .with(form + "_first_mb_per_second", megabytes / seconds.getFirst())
                            .with(form + "_mb_per_second", megabytes * seconds.size() / sum)
                            .with(form + "_pass_seconds", seconds);
        }
        return run;
    }

    private static Column warm(LinesText text) {
        return new Column("warm", text.form().word() + "_warm_mb_per_second", 0);
    }

    private Figures figures(List<LinesText> texts, List<Result> results) {
        Figures figures = bench.figures(results).fact("reference", results.getFirst().name());
        Map<String, Multiples> comparisons = new LinkedHashMap<>();
        for (LinesText text : texts) {
            String form = text.form().word();
            String field = warm(text).field();
            Multiples with = new Multiples(results.getFirst(), field, field);
            comparisons.put(form + "_times_reference", with);
            Result last = results.getLast();
            figures.fact(form + "_bytes", text.bytes())
                    .fact(form + "_lines", text.lines())
                    .headline(
                            text("%.1f x", with.times(last)),
                            "%s at lines of a %s file, %s"
                                    .formatted(with.reference().name(), form, last.name()))
                    .part(part(text, results, with));
        }
        return figures.contestants(comparisons);
    }

    private Part part(LinesText text, List<Result> results, Multiples with) {
        String form = text.form().word();
        String title = capital(form) + " file";
        List<Column> columns =
                List.of(
                        warm(text),
                        new Column("first pass", form + "_first_mb_per_second", 0),
                        new Column("all passes", form + "_mb_per_second", 0));
        return Part.of(title)
                .with(Charts.bars("MB/s, warm", warm(text), results, Optional.of(with)))
                .with(curves(text, results))
                .hinting("The curves have each pass of the last run.")
                .with(FigureTable.wide(form + " MB/s", columns, results, Optional.of(with)))
                .saying(
                        text(
                                "%,d lines, %,d bytes, %d passes",
                                text.lines(), text.bytes(), passes));
    }

    private Chart curves(LinesText text, List<Result> results) {
        List<Curve> curves = new ArrayList<>();
        for (Result one : results) {
            List<Double> seconds = one.runs().getLast().list(text.form().word() + "_pass_seconds");
            List<Curve.Point> points = new ArrayList<>();
            for (int i = 0; i < seconds.size(); i++) {
                double rate = (double) text.bytes() / MEGABYTE / seconds.get(i);
                points.add(new Curve.Point(i + 1.0, rate));
            }
            curves.add(new Curve(one.name(), one.hue(), false, points));
        }
        return Charts.curves("MB/s by pass", Axis.linear("passes", passes), "MB/s", curves);
    }
}
