package dev.mawashi.bench;

import dev.mawashi.embedded.EmbeddedRedisFailure;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.server.Logging;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// The entry of `./mawashi bench`: joins the benchmarks, and turns how one ends into an exit code
/// and at most one line on stderr.
@Command(
        name = "mawashi bench",
        description = "Measures Mawashi and its peers on this machine.",
        synopsisSubcommandLabel = "NAME",
        commandListHeading = "%nBenchmarks:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench noop",
            "  mawashi bench noop --jobs 1000000 --peer sidekiq --runs 3",
            "  mawashi bench sha --jobs 15000",
            "  mawashi bench schedule --peer sidekiq",
            "  mawashi bench NAME --help   what a benchmark measures and takes",
        })
public final class Main implements Runnable {
    /// It was done, and what was counted was right.
    static final int DONE = 0;

    /// It could not be done, or jobs were lost or run twice.
    static final int FAILED = 1;

    /// It was used wrongly.
    static final int WRONG_USE = 2;

    @Spec private CommandSpec spec = CommandSpec.create();

    private Main() {}

    public static void main(String[] arguments) {
        Logging.to(System.err, System.Logger.Level.WARNING, false);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(List.of(arguments), Main::bench, out, err));
    }

    private static Bench bench() {
        return new Bench(System.getenv(), InstantSource.system(), Launcher::words);
    }

    /// Runs one benchmark and returns its exit code.
    ///
    /// @param bench makes what commands share; each has one of its own, since it learns there which
    ///   command it serves
    static int run(
            List<String> arguments, Supplier<Bench> bench, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new NoopCommand(bench.get()));
        line.addSubcommand(new ShaCommand(bench.get()));
        line.addSubcommand(new IoCommand(bench.get()));
        line.addSubcommand(new ForkCommand(bench.get()));
        line.addSubcommand(new MemoryCommand(bench.get()));
        line.addSubcommand(new LatencyCommand(bench.get()));
        line.addSubcommand(new BootCommand(bench.get()));
        line.addSubcommand(new GarbageCommand(bench.get()));
        line.addSubcommand(new BacklogCommand(bench.get()));
        line.addSubcommand(new ScheduleCommand(bench.get()));
        line.addSubcommand(new LinesCommand(bench.get()));
        addHelp(line);
        line.getSubcommands().values().forEach(Main::addHelp);
        line.setParameterExceptionHandler(Main::wrongUse);
        line.setExecutionExceptionHandler(Main::failed);
        return line.setOut(out).setErr(err).execute(arguments.toArray(String[]::new));
    }

    private static void addHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(
                        OptionSpec.builder("-h", "--help")
                                .usageHelp(true)
                                .description("Prints this text.")
                                .build());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a benchmark");
    }

    private static int wrongUse(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        String help = line.getCommandSpec().qualifiedName() + " --help";
        line.getErr().println("mawashi bench: " + firstLine(e) + " (see " + help + ")");
        return WRONG_USE;
    }

    private static int failed(Exception e, CommandLine line, ParseResult result) {
        switch (e) {
            case BenchFailure _, EmbeddedRedisFailure _, RedisFailure _ ->
                    line.getErr().println("mawashi bench: " + firstLine(e));
            case InterruptedException _ -> line.getErr().println("mawashi bench: interrupted");
            default -> {
                line.getErr().println("mawashi bench: this is a defect, please report it");
                e.printStackTrace(line.getErr());
            }
        }
        return FAILED;
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
