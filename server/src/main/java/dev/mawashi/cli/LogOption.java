package dev.mawashi.cli;

import dev.mawashi.server.Logging;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The flag `--log-format` and the variable `MAWASHI_LOG_FORMAT`, over which the flag wins.
final class LogOption {
    private static final String VARIABLE = "MAWASHI_LOG_FORMAT";
    private static final String FLAG = "--log-format";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = FLAG,
            paramLabel = "text|json",
            description =
                    "Form of the log's lines (text). With json each is an object, and the app's"
                            + " Sidekiq.logger starts with Sidekiq's JSON formatter.")
    private @Nullable String given;

    /// Whether lines are to be JSON.
    ///
    /// @throws WrongUse when flag or variable name no form
    boolean isJson(Map<String, String> environment) {
        String source = given == null ? VARIABLE : FLAG;
        String form = given == null ? environment.getOrDefault(VARIABLE, "") : given;
        return switch (form) {
            case "json" -> true;
            case "text" -> false;
            case "" -> {
                if (given != null) {
                    throw new WrongUse(FLAG + " is empty, must be text or json");
                }
                yield false;
            }
            default -> throw new WrongUse(source + " is " + form + ", must be text or json");
        };
    }

    /// The flag or variable that says so; "default" when none does.
    String source(Map<String, String> environment) {
        if (given != null) {
            return FLAG;
        }
        return environment.getOrDefault(VARIABLE, "").isEmpty() ? "default" : VARIABLE;
    }

    /// Has the log written as wanted from here on, and what ends the command too.
    void begin(Map<String, String> environment, boolean isVerbose) {
        System.Logger.Level level =
                isVerbose ? System.Logger.Level.DEBUG : System.Logger.Level.INFO;
        if (isJson(environment)) {
            Logging.inJson(System.err, level);
            command.commandLine().setErr(new PrintWriter(new LoggedLines(), true));
        } else if (isVerbose) {
            Logging.to(System.err, level, Logging.isColourWanted(environment));
        }
    }

    /// Logs each line that is written as an error of the command.
    private static final class LoggedLines extends Writer {
        private static final System.Logger LOG = System.getLogger(LogOption.class.getName());
        private static final int LINE_CHARACTERS_MAX = 100_000;

        private final StringBuilder held = new StringBuilder();

        @Override
        public void write(char[] buffer, int from, int length) {
            for (int i = from; i < from + length; i++) {
                if (buffer[i] == '\n' || held.length() == LINE_CHARACTERS_MAX) {
                    flushLine();
                }
                if (buffer[i] != '\n') {
                    held.append(buffer[i]);
                }
            }
        }

        private void flushLine() {
            LOG.log(System.Logger.Level.ERROR, held.toString().stripTrailing());
            held.setLength(0);
        }

        @Override
        public void flush() {
            // A line is logged at its end.
        }

        @Override
        public void close() {
            if (!held.isEmpty()) {
                flushLine();
            }
        }
    }
}
