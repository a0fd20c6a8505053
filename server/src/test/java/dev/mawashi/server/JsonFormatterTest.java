package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.wire.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class JsonFormatterTest {
    private static final Event.JobName JOB = new Event.JobName("low", "Archive", "a1");
    private static final System.Logger LOG = System.getLogger("dev.mawashi.Any");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        // A locale that knows no UTF-8.
        Logging.inJson(new PrintStream(bytes, true, ISO_8859_1), Level.INFO);
    }

    @AfterEach
    void backToStderr() {
        Logging.to(System.err, Level.INFO, false);
    }

    /// The one line that was logged since the last call.
    private String line() throws CharacterCodingException {
        String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        bytes.reset();
        assertThat(text).endsWith("\n");
        assertThat(text.strip()).doesNotContain("\n");
        assertThat(JsonScanner.requireOne(text.getBytes(UTF_8))).isEqualTo('{');
        return text.strip();
    }

    @Test
    void aLineHasTheNamesOfSidekiqsJsonFormatter() {
        LogRecord event = new LogRecord(java.util.logging.Level.WARNING, "slow");
        event.setInstant(Instant.parse("2025-02-04T08:04:59.678Z"));
        event.setLongThreadID(Long.MAX_VALUE);
        event.setLoggerName("dev.mawashi.Any");

        assertThat(new JsonFormatter(7, () -> false).format(event))
                .isEqualTo(
                        "{\"ts\":\"2025-02-04T08:04:59.678Z\",\"pid\":7,\"tid\":\"1y2p0ij32e8e7\","
                                + "\"lvl\":\"WARN\",\"msg\":\"slow\",\"logger\":\"dev.mawashi.Any\"}\n");
    }

    @Test
    void anEventOfAJobTellsWhichInFields() throws Exception {
        new EventLog().on(new Event.JobBuried(JOB, "it's {0} \"over\""));
        assertThat(line())
                .contains(
                        "\"msg\":\"job went to the dead set: it's {0} \\\"over\\\" class=Archive"
                                + " jid=a1 queue=low\",\"ctx\":{\"class\":\"Archive\",\"jid\":\"a1\","
                                + "\"queue\":\"low\"},\"event\":\"JobBuried\",")
                .contains("\"thread\":\"" + Thread.currentThread().getName() + "\"");
    }

    @Test
    void anEventOfAQueueTellsWhich() throws Exception {
        new EventLog().on(new Event.JobsRecovered("low", List.of("box:1:a"), 1, List.of(JOB)));
        assertThat(line()).contains("\"ctx\":{\"queue\":\"low\"},\"event\":\"JobsRecovered\"");
    }

    @Test
    void anEventOfNeitherTellsItsName() throws Exception {
        new EventLog().on(new Event.BrokerUp());
        assertThat(line()).contains("\"event\":\"BrokerUp\"").doesNotContain("ctx");
    }

    @Test
    void anErrorIsAnObject() throws Exception {
        IllegalStateException error = new IllegalStateException("bro\"ken\n");
        LOG.log(Level.ERROR, "cannot beat", error);
        assertThat(line())
                .contains(
                        "\"error\":{\"class\":\"java.lang.IllegalStateException\","
                                + "\"message\":\"bro\\\"ken\\n\",\"at\":\"")
                .doesNotContain("\"trace\"");
        Logging.inJson(new PrintStream(bytes, true, ISO_8859_1), Level.DEBUG);
        LOG.log(Level.ERROR, "cannot beat", error);
        assertThat(line()).contains("\"trace\":\"java.lang.IllegalStateException: bro");
    }

    @Test
    void aLineOfAChildKeepsWhoPrintedIt() throws Exception {
        LOG.log(Level.INFO, "{0}", new ChildLine(42, "j1", "plain \u001b[31mred\u001b[0m"));
        assertThat(line()).contains("\"msg\":\"plain red\",\"ctx\":{\"jid\":\"j1\"},\"child\":42,");
        LOG.log(Level.INFO, "{0}", new ChildLine(0, null, "{\"half\":"));
        assertThat(line()).contains("\"msg\":\"{\\\"half\\\":\"").doesNotContain("child");
    }

    @Test
    void aLineThatIsAJsonObjectAlreadyIsNotWrapped() throws Exception {
        LOG.log(Level.INFO, "{0}", new ChildLine(42, "j1", "{\"mine\": 1}"));
        assertThat(line()).isEqualTo("{\"mine\": 1}");
    }

    @Test
    void whateverIsLoggedIsOneValidLine() throws Exception {
        Random random = new Random(20_261_124);
        for (int i = 0; i < 2_000; i++) {
            char[] text = new char[random.nextInt(40)];
            for (int j = 0; j < text.length; j++) {
                text[j] = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt());
            }
            LOG.log(Level.INFO, "{0}", new ChildLine(1, new String(text), new String(text)));
            assertThat(line()).startsWith("{\"ts\":");
            LOG.log(Level.WARNING, new String(text));
            assertThat(line()).contains("\"lvl\":\"WARN\"");
        }
    }
}
