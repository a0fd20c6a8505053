package dev.mawashi.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi bench lines --runs 5", "  mawashi bench lines --megabytes 200"})
final class LinesCommand implements Callable<Integer> {
    private static final int MEGABYTES_MAX = 2_000;
    private static final int PASSES_MAX = 1_000;
    private static final long MEGABYTE = 1_000_000;

    @Mixin private final Bench bench;

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

    LinesCommand(Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        bench.within("--megabytes", megabytes, MEGABYTES_MAX);
        bench.within("--passes", passes, PASSES_MAX);
        return bench.runAlone(this::measure);
    }

    private Report measure(Path folder) throws InterruptedException {
        LinesText tall = LinesText.write(folder, LinesText.Form.TALL, megabytes * MEGABYTE);
        LinesText wide = LinesText.write(folder, LinesText.Form.WIDE, megabytes * MEGABYTE);
        String script = BenchFolder.copy("lines.rb", folder).toString();
        Map<Contestant, List<LinesFigures>> runs =
                bench.takeTurns(
                        contestants(script),
                        one -> new LinesFigures(LinesRun.of(one, tall), LinesRun.of(one, wide)),
                        LinesFigures::summary);
        return new LinesReport(List.of(tall, wide), runs, bench.notes());
    }

    private List<Contestant> contestants(String script) {
        List<Contestant> all = new ArrayList<>();
        if (Programs.find("ruby").isPresent()) {
            all.add(contestant("mri", Programs.ruby(), List.of("ruby", script)));
        } else {
            bench.note("mri is left out: there is no ruby on PATH (apt install ruby)");
        }
        String version = "JRuby " + Machine.here().jruby();
        all.add(contestant("jruby", version, jruby(script)));
        all.add(
                contestant(
                        "mawashi",
                        version + ", mawashi/fast_io",
                        jruby("-r", "mawashi/fast_io", script)));
        return all;
    }

    /// In a JVM with this one's flags, which are those of the server.
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
        return new Contestant(name, description, command, Map.of(), 1, passes, Intake.NONE);
    }
}
