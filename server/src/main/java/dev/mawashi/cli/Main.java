package dev.mawashi.cli;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.ConfigFailure;
import dev.mawashi.config.Nearest;
import dev.mawashi.embedded.EmbeddedRedisFailure;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.ruby.RubyBootFailure;
import dev.mawashi.server.Logging;
import dev.mawashi.server.StartFailure;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// The entry of the command line. It joins the commands, and turns the end of one into an exit code
/// and at most one line on stderr.
public final class Main {
    /// The command did what it was asked.
    public static final int DONE = 0;

    /// The command was used rightly and failed.
    public static final int FAILED = 1;

    /// The command was used wrongly.
    public static final int WRONG_USE = 2;

    /// Redis's error codes for a login that it refuses.
    private static final Set<String> LOGIN = Set.of("NOAUTH", "WRONGPASS");

    private static final String LOGIN_REMEDY =
            " (look at user and password of the Redis URL, in --redis, REDIS_URL or REDIS_URL_FILE)";

    private static final String ADDRESS_TTL = "networkaddress.cache.ttl";

    private Main() {}

    public static void main(String[] arguments) {
        Map<String, String> environment = System.getenv();
        forgetAddressesSoon();
        Logging.to(System.err, System.Logger.Level.INFO, Logging.isColourWanted(environment));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(List.of(arguments), environment, out, err));
    }

    /// The JVM would keep the address of a name for 30 s, as long as a lease: after a failover by
    /// DNS we would connect to the old Redis. To be called before the first name is looked up. A
    /// value from the JDK's own file stays.
    private static void forgetAddressesSoon() {
        if (Security.getProperty(ADDRESS_TTL) == null) {
            Security.setProperty(ADDRESS_TTL, "2");
            Security.setProperty("networkaddress.cache.negative.ttl", "1");
        }
    }

    /// Runs one command and returns its exit code.
    static int run(
            List<String> arguments,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err) {
        if (arguments.stream().anyMatch(RedisOption::isGarbled)) {
            err.println(
                    "mawashi: an argument has characters that this locale does not know: set"
                            + " LC_ALL=C.UTF-8");
            return WRONG_USE;
        }
        return commandLine(environment, arguments)
                .setOut(out)
                .setErr(err)
                .execute(LockFreeCommand.keyApart(arguments).toArray(String[]::new));
    }

    /// A parser that knows all commands.
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, List.of());
    }

    /// A parser that knows the command which `arguments` begin with, or all where they begin with
    /// none: a cold JVM takes a fifth of a second to register them all.
    private static CommandLine commandLine(
            Map<String, String> environment, List<String> arguments) {
        CommandLine line = new CommandLine(new MawashiCommand());
        Commands commands = new Commands(environment);
        String first = arguments.isEmpty() ? "" : arguments.getFirst();
        List<String> wanted = Commands.NAMES.contains(first) ? List.of(first) : Commands.NAMES;
        for (String name : wanted) {
            line.addSubcommand(name, commands.make(name));
        }
        return furnished(line);
    }

    private static CommandLine furnished(CommandLine line) {
        line.getCommandSpec()
                .addOption(
                        OptionSpec.builder("--version")
                                .versionHelp(true)
                                .description("Prints the version.")
                                .build());
        addHelp(line);
        line.setExecutionStrategy(Main::execute);
        line.setParameterExceptionHandler(Main::wrongUse);
        line.setExecutionExceptionHandler(Main::failed);
        return line;
    }

    /// `-h` and `--help` are everywhere the same, so no command declares them.
    private static void addHelp(CommandLine line) {
        line.getCommandSpec()
                .addOption(
                        OptionSpec.builder("-h", "--help")
                                .usageHelp(true)
                                .description("Prints this text.")
                                .build());
        line.getSubcommands().values().forEach(Main::addHelp);
    }

    /// A flag before a subcommand is the outer command's and would have no effect: a filter that is
    /// ignored could delete everything.
    private static int execute(ParseResult parsed) {
        ParseResult at = parsed;
        for (; at.hasSubcommand(); at = at.subcommand()) {
            if (!at.matchedOptions().isEmpty()) {
                String flag = at.matchedOptions().getFirst().longestName();
                CommandLine inner = at.subcommand().commandSpec().commandLine();
                String problem = flag + " must come after " + inner.getCommandName();
                throw new ParameterException(inner, problem);
            }
        }
        if (at.hasMatchedOption("--namespace") && at.hasMatchedOption("--resque-namespace")) {
            throw new ParameterException(
                    at.commandSpec().commandLine(),
                    "--namespace is of Sidekiq's keys, and --resque-namespace of Resque's: give one"
                            + " of them");
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int wrongUse(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        String problem =
                e instanceof UnmatchedArgumentException u
                        ? unknown(u)
                        : firstLine(e)
                                .replaceFirst(" is not an? (int|long)$", " is no whole number")
                                .replaceFirst(" is not a double$", " is no number");
        String help = line.getCommandSpec().qualifiedName() + " --help";
        line.getErr().println("mawashi: " + problem + " (see " + help + ")");
        return WRONG_USE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        String word = e.getUnmatched().getFirst();
        String name = word.split("=", 2)[0];
        CommandLine line = e.getCommandLine();
        if (name.startsWith("-")) {
            return "unknown flag " + name + hint(name, line.getCommandSpec().optionsMap().keySet());
        }
        String kind = line.getSubcommands().isEmpty() ? "argument " : "command ";
        return "unknown " + kind + name + hint(name, line.getSubcommands().keySet());
    }

    private static String hint(String word, Collection<String> known) {
        return Nearest.to(word, known).map(near -> ": did you mean " + near + "?").orElse("");
    }

    /// Operating errors carry their remedy; anything else is a defect of ours and keeps its trace.
    private static int failed(Exception e, CommandLine line, ParseResult result) {
        PrintWriter err = line.getErr();
        switch (e) {
            case WrongUse _, ConfigFailure _ -> {
                err.println("mawashi: " + firstLine(e));
                return WRONG_USE;
            }
            case CommandFailure _, EmbeddedRedisFailure _, StartFailure _ ->
                    err.println("mawashi: " + firstLine(e));
            case RedisFailure refused ->
                    err.println(
                            "mawashi: "
                                    + refused.explanation().lines().findFirst().orElse("")
                                    + (LOGIN.contains(refused.code()) ? LOGIN_REMEDY : ""));
            // A file or folder that cannot be read or written is no defect of ours.
            case UncheckedIOException _ -> err.println("mawashi: " + firstLine(e));
            case RubyBootFailure _, ChildFailure _ -> err.println("mawashi: " + e.getMessage());
            case InterruptedException _ -> err.println("mawashi: interrupted");
            default -> {
                err.println(
                        "mawashi: this is a defect of Mawashi, please report it with what follows");
                e.printStackTrace(err);
            }
        }
        return FAILED;
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
