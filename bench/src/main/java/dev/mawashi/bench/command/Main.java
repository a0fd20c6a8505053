package dev.mawashi.bench.command;

import dev.mawashi.bench.report.Figures;
import dev.mawashi.bench.rig.Checkout;
import dev.mawashi.server.Logging;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The entry of `./mawashi bench`: joins the benchmarks.
@Command(
        name = "mawashi bench",
        description = "Measures Mawashi and its peers on this machine.",
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
public final class Main {
    /// It was done, and what was counted was right.
    static final int DONE = 0;

    /// It could not be done, or jobs were lost or run twice.
    static final int FAILED = 1;

    /// It was used wrongly.
    static final int WRONG_USE = 2;

    private Main() {}

    public static void main(String[] arguments) {
        Logging.to(System.err, System.Logger.Level.WARNING, false);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(List.of(arguments), Main::bench, out, err));
    }

    private static Bench bench() {
        return new Bench(System.getenv(), InstantSource.system(), Checkout::launcher);
    }

    /// Runs benchmarks and returns the exit code.
    ///
    /// @param bench makes what commands share; each has one of its own, since it learns there which
    ///   command it serves
    static int run(
            List<String> arguments, Supplier<Bench> bench, PrintWriter out, PrintWriter err) {
        Suite suite = new Suite(words -> parse(line(bench, out, err), words));
        return line(bench, out, err)
                .setExecutionStrategy(suite::run)
                .execute(arguments.toArray(String[]::new));
    }

    private static ParseResult parse(CommandLine line, List<String> words) {
        return line.parseArgs(words.toArray(String[]::new));
    }

    /// What parses a command line.
    static CommandLine line(Supplier<Bench> bench, PrintWriter out, PrintWriter err) {
        CommandLine line = new CommandLine(new Main(), new Commands(bench));
        Commands.NAMED.keySet().forEach(line::addSubcommand);
        line.addSubcommand(AllCommand.class);
        addHelp(line);
        line.getSubcommands().values().forEach(Main::addHelp);
        // Series of `scaling` are named as benchmarks are.
        line.setAllowSubcommandsAsOptionParameters(true);
        line.setParameterExceptionHandler(Main::wrongUse);
        return line.setOut(out).setErr(err);
    }

    /// Makes the commands, anew each time one is named.
    private record Commands(Supplier<Bench> bench) implements CommandLine.IFactory {
        private static final Map<Class<?>, Function<Bench, Callable<Figures>>> NAMED = named();

        private static Map<Class<?>, Function<Bench, Callable<Figures>>> named() {
            Map<Class<?>, Function<Bench, Callable<Figures>>> named = new LinkedHashMap<>();
            named.put(NoopCommand.class, NoopCommand::new);
            named.put(ShaCommand.class, ShaCommand::new);
            named.put(IoCommand.class, IoCommand::new);
            named.put(ForkCommand.class, ForkCommand::new);
            named.put(MemoryCommand.class, MemoryCommand::new);
            named.put(LatencyCommand.class, LatencyCommand::new);
            named.put(BootCommand.class, BootCommand::new);
            named.put(GarbageCommand.class, GarbageCommand::new);
            named.put(BacklogCommand.class, BacklogCommand::new);
            named.put(ScheduleCommand.class, ScheduleCommand::new);
            named.put(LinesCommand.class, LinesCommand::new);
            named.put(ThreadsCommand.class, ThreadsCommand::new);
            named.put(IdleCommand.class, IdleCommand::new);
            named.put(RttCommand.class, RttCommand::new);
            named.put(FanoutCommand.class, FanoutCommand::new);
            named.put(ScalingCommand.class, ScalingCommand::new);
            return named;
        }

        @Override
        public <K> K create(Class<K> kind) throws Exception {
            Function<Bench, Callable<Figures>> command = NAMED.get(kind);
            return command == null
                    ? CommandLine.defaultFactory().create(kind)
                    : kind.cast(command.apply(bench.get()));
        }
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
