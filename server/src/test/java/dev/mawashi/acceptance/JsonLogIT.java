package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mawashi.EachOf;
import dev.mawashi.wire.JsonScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What servers print that are to log in JSON.
final class JsonLogIT {
    private static final String APP =
            Path.of(Workplace.APP).resolveSibling("job_log.rb").toString();
    private static final Map<String, String> IN_JSON = Map.of("MAWASHI_LOG_FORMAT", "json");

    @TempDir Path folder;

    private static byte[] job(String fields) {
        return "{%s,\"queue\":\"default\",\"created_at\":1795225660717}"
                .formatted(fields)
                .getBytes(UTF_8);
    }

    /// What the server prints while it runs such jobs, from its start to its end.
    private List<String> printed(Map<String, String> environment, String runner, String... flags) {
        try (Workplace place = new Workplace(folder)) {
            place.push(
                    "default",
                    List.of(
                            job(
                                    "\"class\":\"TalkingJob\",\"args\":[\"hel\\\"l\\u00f6\\n\\u001b[31m\"]"
                                            + ",\"jid\":\"talk-1\""),
                            job(
                                    "\"class\":\"LoudFailure\",\"args\":[],\"jid\":\"fail-1\",\"retry\":0"),
                            job(
                                    "\"class\":\"WarningJob\",\"args\":["
                                            + runner.equals("jruby")
                                            + "],\"jid\":\"warn-1\"")));
            List<String> words =
                    new ArrayList<>(List.of("run", "-r", APP, "-c", "1", "--runner", runner));
            words.addAll(List.of(flags));
            Child server = place.mawashi(environment, words.toArray(String[]::new));
            place.await(
                    "all have ended",
                    () ->
                            place.ledger().byJid("end").size() == 2
                                    && place.ledger().lines("death").size() == 1);
            server.signal("TTIN");
            server.awaitLog("warn-1");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            return server.logLines();
        }
    }

    private static void assertObjects(List<String> lines) {
        for (String line : lines) {
            assertThatCode(() ->
                            assertThat(JsonScanner.requireOne(line.getBytes(UTF_8))).isEqualTo('{'))
                    .as(line)
                    .doesNotThrowAnyException();
        }
    }

    @EachOf({"mri", "fork", "jruby"})
    void eachLineIsAnObject(String runner) {
        List<String> lines = printed(Map.of(), runner, "--log-format", "json");

        assertObjects(lines);
        assertThat(lines)
                .anyMatch(line -> line.matches(".*\"msg\":\"working on default .*"))
                .anyMatch(line -> line.contains("talk-1") && line.contains("\"msg\":\"start\""))
                .anyMatch(line -> line.contains("hel\\\"l\u00f6\\n") && line.contains("talk-1"))
                .anyMatch(
                        line -> line.contains("\"msg\":\"done\"") && line.contains("\"elapsed\":"))
                .anyMatch(line ->
                        line.contains("\"event\":\"JobBuried\"") && line.contains("fail-1"));
        if (!runner.equals("jruby")) {
            assertThat(lines)
                    .contains("{\"mine\":\"warn-1\"}")
                    .anyMatch(line ->
                            line.contains("\"msg\":\"odd \ufffd") && line.contains("child"));
        }
    }

    @Test
    void theFormatterOfTheAppStays() {
        assertThat(printed(IN_JSON, "mri", "-e", "own"))
                .contains("INFO jid=talk-1 start")
                .anyMatch(line -> line.startsWith("{\"ts\":") && line.contains("JobBuried"));
    }

    @Test
    void aStartThatFailsSaysSoInJson() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.mawashi(IN_JSON, "run", "-r", folder + "/nowhere.rb");

            assertThat(server.awaitExit()).isOne();
            assertObjects(server.logLines());
            assertThat(server.log()).contains("\"msg\":\"mawashi: cannot load");
        }
    }
}
