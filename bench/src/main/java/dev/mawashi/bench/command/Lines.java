package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.capital;
import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.chart.Axis;
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
import java.util.stream.IntStream;

/// `mawashi bench lines`.
final class Lines {
    private static final int MEGABYTE = 1_000_000;

    private Lines() {}

    static Figures measure(Bench bench, Path folder) throws InterruptedException {
        long bytes = (long) bench.number("--megabytes") * MEGABYTE;
        List<LinesText> texts = new ArrayList<>();
        for (LinesText.Form form : LinesText.Form.values()) {
            texts.add(LinesText.write(folder, form, bytes));
        }
        List<Column> columns = texts.stream().map(Lines::warm).toList();
        List<Result> results = bench.takeTurns(contestants(bench), one -> run(one, texts), columns);
        return fill(bench.figures(results), texts, results);
    }

    private static List<Contestant> contestants(Bench bench) {
        int passes = bench.number("--passes");
        String script = Checkout.app("lines.rb").toString();
        List<Contestant> all = new ArrayList<>();
        if (Programs.find("ruby").isPresent()) {
            all.add(contestant("mri", Programs.ruby(), List.of("ruby", script), passes));
        } else {
            bench.note("mri is left out: there is no ruby on PATH (apt install ruby)");
        }
        String version = "JRuby " + Machine.here().jruby();
        all.add(contestant("jruby", version, jruby(script), passes));
        List<String> fast = jruby("-r", "mawashi/fast_io", script);
        all.add(contestant("mawashi", version + ", mawashi/fast_io", fast, passes));
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

    private static Contestant contestant(
            String name, String description, List<String> command, int passes) {
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

    private static Figures fill(Figures figures, List<LinesText> texts, List<Result> results) {
        Result reference = results.getFirst();
        Result ours = results.getLast();
        figures.fact("reference", reference.name());
        Map<String, Multiples> comparisons = new LinkedHashMap<>();
        for (LinesText text : texts) {
            String form = text.form().word();
            Multiples with = new Multiples(reference, warm(text).field(), warm(text).field());
            comparisons.put(form + "_times_reference", with);
            figures.fact(form + "_bytes", text.bytes())
                    .fact(form + "_lines", text.lines())
                    .headline(
                            text("%.1f x", with.times(ours)),
                            "%s at lines of a %s file, %s"
                                    .formatted(reference.name(), form, ours.name()))
                    .part(part(text, results, with));
        }
        return figures.contestants(comparisons);
    }

    private static Part part(LinesText text, List<Result> results, Multiples with) {
        String form = text.form().word();
        int passes = results.getFirst().contestant().jobs();
        List<Column> columns =
                List.of(
                        warm(text),
                        new Column("first pass", form + "_first_mb_per_second", 0),
                        new Column("all passes", form + "_mb_per_second", 0));
        List<Curve> curves = results.stream().map(one -> curve(text, one)).toList();
        return Part.of(capital(form) + " file")
                .with(Charts.bars("MB/s, warm", warm(text), results, Optional.of(with)))
                .with(Charts.curves("MB/s by pass", Axis.linear("passes", passes), "MB/s", curves))
                .hinting("The curves have each pass of the last run.")
                .with(FigureTable.wide(form + " MB/s", columns, results, Optional.of(with)))
                .saying(
                        text(
                                "%,d lines, %,d bytes, %d passes",
                                text.lines(), text.bytes(), passes));
    }

    private static Curve curve(LinesText text, Result one) {
        List<Double> seconds = one.runs().getLast().list(text.form().word() + "_pass_seconds");
        double megabytes = (double) text.bytes() / MEGABYTE;
        return one.curve(
                one.name(),
                IntStream.rangeClosed(1, seconds.size()).asDoubleStream().boxed().toList(),
                seconds.stream().map(pass -> megabytes / pass).toList());
    }
}
