package dev.mawashi.bench.command;

import dev.mawashi.bench.rig.Checkout;
import dev.mawashi.server.Logging;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// The entry of `./mawashi bench`: joins the benchmarks.
///
/// @param environment its `PATH` is searched for the ground's Redis
/// @param launcher gives the words before Mawashi's commands
@Command(
        name = "mawashi bench",
        description = "Measures Mawashi and its peers on this machine.",
        subcommands = {
            NoopCommand.class,
            ShaCommand.class,
            IoCommand.class,
            ForkCommand.class,
            MemoryCommand.class,
            SharingCommand.class,
            LatencyCommand.class,
            BootCommand.class,
            GarbageCommand.class,
            BacklogCommand.class,
            ScheduleCommand.class,
            LinesCommand.class,
            ThreadsCommand.class,
            IdleCommand.class,
            CallsCommand.class,
            RttCommand.class,
            FanoutCommand.class,
            PageCommand.class,
            StreamsCommand.class,
            AppCommand.class,
            ScalingCommand.class,
            AllCommand.class,
        },
        subcommandsRepeatable = true,
        synopsisSubcommandLabel = "NAME... or all",
        commandListHeading = "%nBenchmarks:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi bench noop",
            "  mawashi bench noop --jobs 1000000 --peer sidekiq --runs 3",
            "  mawashi bench sha --jobs 15000",
            "  mawashi bench schedule --peer sidekiq",
            "  mawashi bench latency boot --runs 5 --report report.html",
            "  mawashi bench all --peer sidekiq --report report.html",
            "  mawashi bench NAME --help   what a benchmark measures and takes",
        })
public record Main(
        Map<String, String> environment, InstantSource clock, Supplier<List<String>> launcher) {
    /// The benchmarks were done, and every job was counted once.
    static final int DONE = 0;

    /// A benchmark could not be done, or jobs were lost or run twice.
    static final int FAILED = 1;

    /// The command was used wrongly.
    static final int WRONG_USE = 2;

    public static void main(String[] arguments) {
        Logging.to(System.err, System.Logger.Level.WARNING, false);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Main main = new Main(System.getenv(), InstantSource.system(), Checkout::launcher);
        System.exit(main.run(List.of(arguments), out, err));
    }

    /// Runs benchmarks and returns the exit code.
    int run(List<String> arguments, PrintWriter out, PrintWriter err) {
        Suite suite = new Suite(words -> line(out, err).parseArgs(words.toArray(String[]::new)));
        return line(out, err)
                .setExecutionStrategy(suite::run)
                .execute(arguments.toArray(String[]::new));
    }

    /// The parser of command lines.
    CommandLine line(PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(this);
        addHelp(line);
        line.getSubcommands().values().forEach(Main::addHelp);
        // Series of `scaling` are named as benchmarks are.
        line.setAllowSubcommandsAsOptionParameters(true);
        line.setParameterExceptionHandler(Main::wrongUse);
        return line.setOut(out).setErr(err);
    }

    private static void addHelp(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        if (spec.usageMessage().footerHeading().isEmpty()) {
            spec.usageMessage().footerHeading("%nExamples:%n");
        }
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Prints this text.")
                        .build());
    }

    private static int wrongUse(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        String help = line.getCommandSpec().qualifiedName() + " --help";
        line.getErr().println("mawashi bench: " + firstLine(e) + " (see " + help + ")");
        return WRONG_USE;
    }

    static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
