package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
    void levelsBelowTheWantedAreSilent() {
        Logging.to(stream, Level.WARNING, false);
        System.Logger logger = System.getLogger("dev.mawashi.Any");
        logger.log(Level.INFO, "not this");
        logger.log(Level.WARNING, "but this");
        assertThat(text()).contains("WARN: but this").doesNotContain("not this");
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
        System.getLogger("dev.mawashi.Any").log(Level.INFO, "a\nb\r\u001b[2Jc\u2028d");
        assertThat(text()).hasLineCount(1).contains("a\\nb\\r\\u001b[2Jc\\u2028d");
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

    @Test
    void aTerminalGetsColours() {
        Logging.to(stream, Level.INFO, true);
        System.getLogger("dev.mawashi.Any").log(Level.WARNING, "slow");
        assertThat(text()).contains("\u001b[33mWARN\u001b[0m: slow");
    }

    @Test
    void noColorIsHeeded() {
        assertThat(Logging.isColourWanted(Map.of("NO_COLOR", "1", "TERM", "xterm"))).isFalse();
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
