package dev.mawashi.acceptance;

import static dev.mawashi.acceptance.PayloadRig.job;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Payloads that are jobs, though no client writes them: unusual arguments, fields, jids and forms,
/// of B01 to B48 of the bad-input catalogue. They run, and should they fail, a retry keeps every
/// byte. Those that no job comes of are in `BadPayloadIT`.
final class OddPayloadIT {
    private static PayloadRig rig;
    private static Workplace place;

    @BeforeAll
    static void startServer(@TempDir Path folder) {
        rig = new PayloadRig(folder);
        place = rig.place();
    }

    @AfterAll
    static void theServerLived() {
        rig.endWell();
    }

    @BeforeEach
    void emptySets() {
        rig.emptySets();
    }

    static Stream<String> odd() {
        return Stream.of(
                "[]",
                "[9007199254740993,130775545883395173,-0,1" + "0".repeat(400) + "]",
                "[1e999,-0.0,1.0,1,1E+2,0.10,123456789.12345678901234567890]",
                "[\"\\ud800\",\"\\u0000\",\"\\/\",\"a\u00ff\u00feb\"]",
                "[ {\"b\":1, \"a\":2,\"b\":3}\t]",
                "[{\"json_class\":\"Object\"}]",
                "[".repeat(10) + "]".repeat(10));
    }

    /// A failure adds fields and changes no byte of the others. Latin-1 stands for bytes, two of
    /// which are no UTF-8.
    @ParameterizedTest
    @MethodSource("odd")
    void aRetryKeepsEveryByte(String args) {
        String payload = " {\"jid\": \"odd\",\n\"args\":" + args + ",\"class\":\"PickyJob\"}";

        assertThat(rig.retried(payload.getBytes(ISO_8859_1)))
                .contains("\"error_class\":\"RuntimeError\"");
    }

    static Stream<String> unusualButRight() {
        StringBuilder keys = new StringBuilder("[{\"k\":0");
        for (int i = 0; i < 1_000_000; i++) {
            keys.append(",\"k").append(i).append("\":0");
        }
        return Stream.of(
                "{\"class\":\"PlainJob\",\"args\":[1],\"jid\":\"%s\"}",
                "{\"class\":\"PlainJob\",\"jid\":\"%s\"}",
                "{\"class\":\"PlainJob\",\"args\":null,\"jid\":\"%s\"}",
                " { \"args\" : [ ] ,\r\n\t\"jid\":\"%s\",\"cl\\u0061ss\" : \"::PlainJob\" } ",
                "{\"class\":\"LazyJob\",\"args\":[],\"jid\":\"%s\"}",
                "{\"class\":\"PlainJob\",\"args\":[\""
                        + "x".repeat(1 << 20)
                        + "\"],\"jid\":\"%s\"}",
                "{\"class\":\"PlainJob\",\"args\":" + keys + "}],\"jid\":\"%s\"}");
    }

    @ParameterizedTest
    @MethodSource("unusualButRight")
    void whatIsUnusualButRightRuns(String form) {
        String jid = rig.newJid();
        rig.pushBetweenGoodJobs(form.replace("%s", jid).getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(jid));
    }

    /// Fields that mean something to one library or another, with values that no client gives them.
    private static List<String> strangeFields() {
        List<String> fields = new ArrayList<>();
        for (String wrapped :
                List.of("\"Kernel\"", "\"No::Such\"", "\"java.lang.Runtime\"", "[1]")) {
            fields.add("\"wrapped\":" + wrapped);
        }
        for (String queue :
                List.of(
                        "", "a:b", "../..", "queue:x", "{}", "a{b}c", "\\n", "*", "\u7d42",
                        "retry")) {
            fields.add("\"queue\":\"" + queue + "\"");
        }
        fields.add("\"queue\":\"" + "q".repeat(10_000) + "\"");
        for (String at : List.of("-1", "0", "1e15", "\"nan\"", "null")) {
            fields.add("\"at\":" + at);
        }
        for (String created : List.of("1.5", "1500", "\"2026-11-22\"", "null", "{}")) {
            fields.add("\"created_at\":" + created);
        }
        fields.addAll(
                List.of(
                        "\"error_backtrace\":\"no base64 at all!\"",
                        "\"error_backtrace\":\"eJzT0yMAAGTvBe8=\"",
                        "\"error_backtrace\":[1]",
                        "\"error_message\":\"" + "\\u001b[31m<script>".repeat(1_000) + "\"",
                        "\"compressed\":true",
                        "\"tags\":7",
                        "\"tags\":[" + "\"<b>\",".repeat(10_000) + "1]",
                        "\"backtrace\":1000000000",
                        "\"backtrace\":-1",
                        "\"json_class\":\"Object\"",
                        "\"unknown\":{\"@class\":\"java.lang.Runtime\"}"));
        return fields;
    }

    @Test
    void strangeFieldsKeepNoJobFromRunning() {
        List<String> fields = strangeFields();
        List<byte[]> payloads = new ArrayList<>();
        Set<String> jids = new HashSet<>();
        for (String field : fields) {
            String jid = "strange" + jids.size();
            jids.add(jid);
            payloads.add(
                    "{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"%s\",%s}"
                            .formatted(jid, field)
                            .getBytes(UTF_8));
        }
        rig.pushBetweenGoodJobs(payloads.toArray(byte[][]::new));

        place.await("all run", () -> place.ledger().byJid("end").keySet().containsAll(jids));
        assertThat(place.number("EXISTS", "retry", "dead")).isZero();
    }

    @Test
    void strangeFieldsKeepNoJobFromItsRetry() {
        List<String> fields = strangeFields();
        List<byte[]> payloads =
                fields.stream()
                        .map(field ->
                                "{\"class\":\"PickyJob\",\"args\":[1],\"jid\":\"p\",%s}"
                                        .formatted(field)
                                        .getBytes(UTF_8))
                        .toList();
        rig.pushBetweenGoodJobs(payloads.toArray(byte[][]::new));

        place.await("all are kept", () -> place.number("ZCARD", "retry") == fields.size());
        assertThat(place.strings("ZRANGE", "retry", "0", "-1"))
                .extracting(Workplace::text)
                .allSatisfy(retry ->
                        assertThat(retry)
                                .contains("\"error_class\":\"RuntimeError\"")
                                .contains("\"queue\":\"default\""));
        assertThat(place.number("EXISTS", "dead")).isZero();
    }

    /// What other libraries make objects of stays what JSON says it is.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"gid://app/User/1\"",
                "{\"json_class\":\"Object\",\"raw\":[1]}",
                "{\"_aj_serialized\":\"Evil\"}",
                "{\"_aj_globalid\":\"gid://app/User/1\"}",
                "{\"@class\":\"java.lang.Runtime\",\"@type\":\"x\"}",
                "\"--- !ruby/object:Object {}\"",
                "\"\\u0004\\bo:\\u000bObject\\u0000\""
            })
    void anArgumentIsPlainData(String argument) {
        String jid = rig.newJid();
        rig.pushBetweenGoodJobs(job("DataJob", "[" + argument + "]", jid).getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(jid));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "null", "7", "[]", "\"a:{b}*\\r\\n\"", "LONG"})
    void anyJidRuns(String jid) {
        String given = jid.equals("LONG") ? "\"" + "j".repeat(10_000) + "\"" : jid;
        String payload = "{\"class\":\"PickyJob\",\"args\":[],\"jid\":" + given + "}";

        assertThat(rig.retried(payload.getBytes(UTF_8))).contains("RuntimeError");
    }

    @Test
    void aJobWithTheJidOfAnotherThatRunsRunsToo() {
        rig.pushBetweenGoodJobs(
                job("GateJob", "[\"same\"]", "same").getBytes(UTF_8),
                job("GateJob", "[\"same\",1]", "same").getBytes(UTF_8),
                job("SleepJob", "[0]", "same").getBytes(UTF_8));
        place.open("same");

        place.await("two ran", () -> place.ledger().byJid("end").getOrDefault("same", 0L) == 2);
        place.await("one took too many arguments", () -> place.number("ZCARD", "retry") == 1);
    }

    @Test
    void aJobWithoutAJidRuns() {
        rig.pushBetweenGoodJobs("{\"class\":\"LazyJob\",\"args\":[1]}".getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(""));
    }

    @Test
    void equalPayloadsAreTwoJobs() {
        byte[] good = job("PlainJob", "[]", "twin").getBytes(UTF_8);
        byte[] bad = job("PickyJob", "[]", "badTwin").getBytes(UTF_8);
        rig.pushBetweenGoodJobs(good, bad, good, bad);

        place.await("both run", () -> place.ledger().byJid("end").getOrDefault("twin", 0L) == 2);
        place.await("both are retried", () -> place.number("ZCARD", "retry") == 2);
    }
}
