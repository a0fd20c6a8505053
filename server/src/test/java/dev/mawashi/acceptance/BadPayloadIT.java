package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.RedisBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Payloads that no client should push, each between two good jobs, in one server that lives
/// through all of them: the payloads B01 to B20 and B46 to B48 of the bad-input catalogue.
final class BadPayloadIT {
    private static Workplace place;
    private static Child server;
    private static int cases;

    @BeforeAll
    static void startServer(@TempDir Path folder) {
        place = new Workplace(folder);
        server = place.run(Workplace.DEBIAN_GEMS, "-c", "5").awaitLog("working on");
    }

    @AfterAll
    static void theServerLived() {
        server.signal("TERM");
        int code = server.awaitExit();
        String log = server.log();
        place.close();
        assertThat(code).as(log).isZero();
        assertThat(log).doesNotContain("defect", "\tat ");
    }

    @BeforeEach
    void emptySets() {
        place.number("DEL", "retry", "dead");
    }

    static Stream<byte[]> unreadable() {
        String job = "{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"unreadable\"}";
        Stream<String> broken =
                Stream.of(
                        "",
                        " ",
                        "null",
                        "42",
                        "\"x\"",
                        "[]",
                        job.substring(0, job.length() - 1),
                        job + "}",
                        job + " x",
                        job + job,
                        "\ufeff" + job,
                        job.replace("\"jid\"", "\"class\":\"GateJob\",\"jid\""),
                        job.replace("[]", "[NaN]"),
                        job.replace("[]", "[Infinity]"),
                        job.replace("[]", "[-Infinity]"),
                        job.replace("[]", "[\"\0\"]"),
                        job.replace("PlainJob", "Plain\0Job"));
        Stream<String> deep =
                IntStream.of(500, 1_000, 100_000)
                        .mapToObj(n -> job.replace("[]", "[".repeat(n) + "]".repeat(n)));
        return Stream.concat(broken, deep).map(payload -> payload.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatCannotBeReadIsBuriedUnchanged(byte[] payload) {
        pushBetweenGoodJobs(payload);

        place.await("it is in the dead set", () -> place.isMember("dead", payload));
        assertThat(place.number("ZCARD", "dead")).isOne();
        assertThat(place.number("EXISTS", "retry")).isZero();
        assertThat(place.ledger().byJid("start")).doesNotContainKey("unreadable");
    }

    @Test
    void whatIsTooLargeIsBuriedUnread() {
        String text = "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX);
        byte[] payload = job("PlainJob", "[\"" + text + "\"]", "large").getBytes(UTF_8);
        pushBetweenGoodJobs(payload);

        place.await("it is in the dead set", () -> place.isMember("dead", payload));
        assertThat(place.ledger().byJid("start")).doesNotContainKey("large");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "null",
                "7",
                "true",
                "[]",
                "{}",
                "\"\"",
                "\" PlainJob\"",
                "\"PlainJob\\n\"",
                "\"Plain\\u0000Job\"",
                "\"Pl\u0430inJob\"",
                "\"Kernel\"",
                "\"File\"",
                "\"::Object\"",
                "\"Java::JavaLang::Runtime\"",
                "\"java.lang.Runtime\"",
                "\"Foo::../../x\"",
                "\"PlainJob::Kernel\"",
                "\"NoSuchJob\"",
            })
    void whatNamesNoJobClassIsRetriedAsANameError(String name) {
        String payload = "{\"class\":" + name + ",\"args\":[],\"retry\":true}";

        assertThat(retried(payload.getBytes(UTF_8))).contains("\"error_class\":\"NameError\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"args\":[]}",
                "{\"Class\":\"PlainJob\",\"ARGS\":[]}",
                "{\"job\":\"PlainJob\"}"
            })
    void aClassThatIsMissingIsANameErrorToo(String payload) {
        assertThat(retried(payload.getBytes(UTF_8))).contains("\"error_class\":\"NameError\"");
    }

    @Test
    void aClassNameOfTenKilobytesMakesAShortMessage() {
        String payload = job("A".repeat(10_000), "[]", "long");

        assertThat(retried(payload.getBytes(UTF_8))).hasSizeLessThan(payload.length() + 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":1}", "\"x\"", "1", "true"})
    void argsThatAreNoArrayAreRetriedAsAnArgumentError(String args) {
        assertThat(retried(job("PlainJob", args, "args").getBytes(UTF_8)))
                .contains("\"error_class\":\"ArgumentError\"");
    }

    @Test
    void theLastRetryLeadsToTheDeadSet() {
        String payload = "{\"class\":\"NoSuchJob\",\"args\":[],\"retry\":0}";
        pushBetweenGoodJobs(payload.getBytes(UTF_8));

        place.await("it is in the dead set", () -> place.number("ZCARD", "dead") == 1);
        assertThat(text(place.strings("ZRANGE", "dead", "0", "-1").getFirst()))
                .startsWith(payload.substring(0, payload.length() - 1))
                .contains("uninitialized constant NoSuchJob");
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

        assertThat(retried(payload.getBytes(ISO_8859_1)))
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
        String jid = "unusual" + cases;
        pushBetweenGoodJobs(form.replace("%s", jid).getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(jid));
    }

    @Test
    void aJobWithoutAJidRuns() {
        pushBetweenGoodJobs("{\"class\":\"LazyJob\",\"args\":[1]}".getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(""));
    }

    @Test
    void equalPayloadsAreTwoJobs() {
        byte[] good = job("PlainJob", "[]", "twin").getBytes(UTF_8);
        byte[] bad = job("PickyJob", "[]", "badTwin").getBytes(UTF_8);
        pushBetweenGoodJobs(good, bad, good, bad);

        place.await("both run", () -> place.ledger().byJid("end").getOrDefault("twin", 0L) == 2);
        place.await("both are retried", () -> place.number("ZCARD", "retry") == 2);
    }

    private static String job(String jobClass, String args, String jid) {
        return "{\"class\":\"%s\",\"args\":%s,\"jid\":\"%s\"}".formatted(jobClass, args, jid);
    }

    private static void pushBetweenGoodJobs(byte[]... payloads) {
        String before = "good" + cases + "before";
        String after = "good" + cases + "after";
        cases++;
        List<byte[]> all =
                Stream.of(
                                Stream.of(job("PlainJob", "[]", before).getBytes(UTF_8)),
                                Stream.of(payloads),
                                Stream.of(job("PlainJob", "[]", after).getBytes(UTF_8)))
                        .flatMap(part -> part)
                        .toList();
        place.push("default", all);
        place.await(
                "good jobs run",
                () -> place.ledger().byJid("end").keySet().containsAll(List.of(before, after)));
        assertThat(place.ledger().byJid("start").get(before)).isOne();
        assertThat(place.ledger().byJid("start").get(after)).isOne();
    }

    /// Pushes a payload that is to fail, and returns the bytes of its retry as Latin-1.
    private static String retried(byte[] payload) {
        pushBetweenGoodJobs(payload);
        place.await("it is in the retry set", () -> place.number("ZCARD", "retry") == 1);
        String retry = text(place.strings("ZRANGE", "retry", "0", "-1").getFirst());
        String before = text(payload).stripTrailing();
        assertThat(retry).startsWith(before.substring(0, before.length() - 1));
        assertThat(place.number("EXISTS", "dead")).isZero();
        return retry;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
