package dev.mawashi.server;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Sets up the process's log: `System.Logger` hands an event to `java.util.logging`, which writes
/// it to one stream as one line.
///
/// The JDK takes the handlers away when the JVM begins to exit, at the same time as it runs
/// shutdown hooks: what must be logged while stopping is to be logged before `System.exit`.
public final class Logging {
    private static final String OURS = "dev.mawashi";

    /// Held here because `java.util.logging` forgets the level of a logger that nobody holds.
    private static final List<Logger> QUIET =
            List.of(
                    Logger.getLogger("redis.clients"),
                    Logger.getLogger("org.eclipse.jetty"),
                    Logger.getLogger("org.jruby"),
                    Logger.getLogger("jdk"),
                    Logger.getLogger("sun"));

    private static final Logger OWN = Logger.getLogger(OURS);

    private Logging() {}

    /// Sends everything of ours from `level` on, and others' warnings, to `stream`.
    ///
    /// @param level of `System.Logger`: `DEBUG` also prints the stack traces of errors
    /// @param isColoured whether levels are coloured
    public static void to(PrintStream stream, System.Logger.Level level, boolean isColoured) {
        Formatter lines =
                new LineFormatter(ProcessHandle.current().pid(), isColoured, Logging::isVerbose);
        to(new StreamHandler(stream, lines, stream.charset()), level);
    }

    /// The same with a JSON object for each line, in UTF-8 whatever the locale.
    public static void inJson(PrintStream stream, System.Logger.Level level) {
        Formatter objects = new JsonFormatter(ProcessHandle.current().pid(), Logging::isVerbose);
        to(new StreamHandler(stream, objects, StandardCharsets.UTF_8), level);
    }

    /// Logs ours from this level on, in the form in which they are logged. Safe for any thread.
    public static void level(System.Logger.Level level) {
        OWN.setLevel(julLevel(level));
    }

    /// The name of a level in `config/mawashi.yml`.
    public static String word(System.Logger.Level level) {
        return level == System.Logger.Level.WARNING
                ? "warn"
                : level.name().toLowerCase(Locale.ROOT);
    }

    private static boolean isVerbose() {
        return OWN.isLoggable(Level.FINE);
    }

    private static void to(Handler handler, System.Logger.Level level) {
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(handler);
        QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
        level(level);
    }

    /// Whether stderr is a terminal, as the launcher says: the JDK cannot check stderr alone.
    public static boolean isTerminal() {
        return "terminal".equals(System.getProperty("mawashi.stderr"));
    }

    /// Whether stderr is a terminal that takes colours and its owner wants them.
    public static boolean isColourWanted(Map<String, String> environment) {
        return isTerminal()
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !"dumb".equals(environment.get("TERM"));
    }

    private static Level julLevel(System.Logger.Level level) {
        return switch (level) {
            case ALL -> Level.ALL;
            case TRACE -> Level.FINER;
            case DEBUG -> Level.FINE;
            case INFO -> Level.INFO;
            case WARNING -> Level.WARNING;
            case ERROR -> Level.SEVERE;
            case OFF -> Level.OFF;
        };
    }

    /// One write an event, so that lines of several threads never mix. A stream that cannot be
    /// written raises nothing.
    private static final class StreamHandler extends Handler {
        private final PrintStream stream;
        private final Charset charset;

        StreamHandler(PrintStream stream, Formatter formatter, Charset charset) {
            this.stream = stream;
            this.charset = charset;
            setFormatter(formatter);
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord event) {
            if (!isLoggable(event)) {
                return;
            }
            try {
                byte[] line = getFormatter().format(event).getBytes(charset);
                stream.write(line, 0, line.length);
                stream.flush();
            } catch (RuntimeException e) {
                // A message that cannot be formatted must not break the code that logs it.
                reportError(null, e, ErrorManager.FORMAT_FAILURE);
            }
        }

        @Override
        public void flush() {
            stream.flush();
        }

        @Override
        public void close() {
            flush();
        }
    }
}
