package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoggingTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @AfterEach
    void backToStderr() {
        Logging.to(System.err, Level.INFO, false);
    }

    @Test
    void anEventIsOneLineInSidekiqsForm() {
        Logging.to(stream, Level.INFO, false);
        System.getLogger("dev.mawashi.Any").log(Level.INFO, "started slots=10");
        assertThat(text())
                .matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z pid=\\d+ tid=[0-9a-z]+"
                                + " INFO: started slots=10\n");
    }

    @Test
    void aLineSaysWhenInUtcAndWhichProcessAndThread() {
        LogRecord event = new LogRecord(java.util.logging.Level.INFO, "started");
        event.setInstant(Instant.parse("2025-02-04T08:04:59.678Z"));
        event.setLongThreadID(46);

        assertThat(new LineFormatter(7, false, () -> false).format(event))
                .isEqualTo("2025-02-04T08:04:59.678Z pid=7 tid=1a INFO: started\n");
    }

    @Test
    void anotherStreamTakesThePlaceOfTheFirst() {
        ByteArrayOutputStream other = new ByteArrayOutputStream();
        Logging.to(stream, Level.INFO, false);
        Logging.to(new PrintStream(other, true, StandardCharsets.UTF_8), Level.INFO, false);
        System.getLogger("dev.mawashi.Any").log(Level.INFO, "once");
        assertThat(text()).isEmpty();
        assertThat(other.toString(StandardCharsets.UTF_8)).hasLineCount(1).contains("once");
    }

    @Test
    void levelsBelowTheWantedAreSilent() {
        Logging.to(stream, Level.WARNING, false);
        System.Logger logger = System.getLogger("dev.mawashi.Any");
        logger.log(Level.INFO, "not this");
        logger.log(Level.WARNING, "but this");
        assertThat(text()).contains("WARN: but this").doesNotContain("not this");
    }

    @Test
    void theLevelMayChangeLater() {
        Logging.to(stream, Level.INFO, false);
        System.Logger logger = System.getLogger("dev.mawashi.Any");
        Logging.level(Level.ERROR);
        logger.log(Level.WARNING, "not this");
        System.getLogger("app").log(Level.INFO, "the app's");
        Logging.level(Level.DEBUG);
        logger.log(Level.DEBUG, "but this", new IllegalStateException());
        assertThat(text()).contains("the app's", "DEBUG: but this", "\n\tat ");
        assertThat(text()).doesNotContain("not this");
    }

    @Test
    void debugShowsDebug() {
        Logging.to(stream, Level.DEBUG, false);
        System.getLogger("dev.mawashi.Any").log(Level.DEBUG, "claimed n=5");
        assertThat(text()).contains("DEBUG: claimed n=5");
    }

    @Test
    void othersAreHeardFromWarningOn() {
        Logging.to(stream, Level.DEBUG, false);
        for (String other : new String[] {"redis.clients.jedis.Connection", "org.jruby.Ruby"}) {
            System.getLogger(other).log(Level.INFO, "chatter");
            System.getLogger(other).log(Level.WARNING, "trouble in " + other);
        }
        assertThat(text())
                .doesNotContain("chatter")
                .contains("trouble in redis.clients", "trouble in org.jruby");
    }

    @Test
    void aMessageCannotForgeALine() {
        Logging.to(stream, Level.INFO, false);
        System.getLogger("dev.mawashi.Any").log(Level.INFO, "a\nb\r\u001b[2Jc\u2028d\u2029\t");
        assertThat(text()).hasLineCount(1).contains("a\\nb\\r\\u001b[2Jc\\u2028d\\u2029\\t\n");
    }

    @Test
    void anErrorsMessageCannotForgeALineEither() {
        Throwable error = new IllegalStateException("a\nb");
        error.setStackTrace(new StackTraceElement[0]);
        Logging.to(stream, Level.INFO, false);
        System.getLogger("dev.mawashi.Any").log(Level.ERROR, "cannot beat", error);
        assertThat(text()).endsWith("error=java.lang.IllegalStateException: a\\nb\n");
    }

    @Test
    void anErrorThatCannotBeToldBreaksNobody() {
        Throwable error =
                new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new UnsupportedOperationException("untold");
                    }
                };
        Logging.to(stream, Level.INFO, false);
        System.Logger logger = System.getLogger("dev.mawashi.Any");
        logger.log(Level.ERROR, "cannot beat", error);
        logger.log(Level.INFO, "but goes on");
        assertThat(text()).hasLineCount(1).contains("but goes on");
    }

    @Test
    void coloursOfAMessageAreLeftOut() {
        Logging.to(stream, Level.INFO, false);
        System.getLogger("dev.mawashi.Any")
                .log(Level.INFO, "\u001b[1;34mINFO\u001b[0m: \u001b[1;3");
        assertThat(text()).contains(": INFO: \\u001b[1;3\n");
    }

    @Test
    void anErrorIsNamedOnItsLineAndTracedOnlyWhenVerbose() {
        IllegalStateException error = new IllegalStateException("broken");
        Logging.to(stream, Level.INFO, false);
        System.getLogger("dev.mawashi.Any").log(Level.ERROR, "cannot beat", error);
        assertThat(text())
                .hasLineCount(1)
                .contains("ERROR: cannot beat error=java.lang.IllegalStateException: broken at=");
        Logging.to(stream, Level.DEBUG, false);
        System.getLogger("dev.mawashi.Any").log(Level.ERROR, "cannot beat", error);
        assertThat(text()).contains("\n\tat ");
    }

    @ParameterizedTest
    @CsvSource({"ERROR,31,ERROR", "WARNING,33,WARN", "INFO,32,INFO", "DEBUG,36,DEBUG"})
    void aTerminalGetsColours(Level level, String colour, String word) {
        Logging.to(stream, Level.DEBUG, true);
        System.getLogger("dev.mawashi.Any").log(level, "slow");
        assertThat(text()).contains("\u001b[" + colour + "m" + word + "\u001b[0m: slow");
    }

    @ParameterizedTest
    @CsvSource({
        "terminal, , xterm, true",
        "terminal, 1, xterm, false",
        "terminal, , dumb, false",
        "pipe, , xterm, false",
    })
    void coloursAreForTerminalsWhoseOwnersWantThem(
            String stderr, @Nullable String noColor, String term, boolean isWanted) {
        String before = System.getProperty("mawashi.stderr", "");
        System.setProperty("mawashi.stderr", stderr);
        try {
            String no = noColor == null ? "" : noColor;
            assertThat(Logging.isColourWanted(Map.of("NO_COLOR", no, "TERM", term)))
                    .isEqualTo(isWanted);
        } finally {
            System.setProperty("mawashi.stderr", before);
        }
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
