package dev.mawashi.acceptance;

import static dev.mawashi.acceptance.PayloadRig.job;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.RedisBroker;
import java.nio.file.Path;
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

/// Payloads that no job comes of: they cannot be read, are too large, name no job class, or have no
/// arguments. These are B01 to B40 of the bad-input catalogue, but for those whose fields have
/// tests of their own; the ones that run all the same are in `OddPayloadIT`.
final class BadPayloadIT {
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
        rig.pushBetweenGoodJobs(payload);

        place.await("it is in the dead set", () -> place.isMember("dead", payload));
        assertThat(place.number("ZCARD", "dead")).isOne();
        assertThat(place.number("EXISTS", "retry")).isZero();
        assertThat(place.ledger().byJid("start")).doesNotContainKey("unreadable");
    }

    @Test
    void whatIsTooLargeIsBuriedUnread() {
        String text = "x".repeat(RedisBroker.PAYLOAD_BYTES_MAX);
        byte[] payload = job("PlainJob", "[\"" + text + "\"]", "large").getBytes(UTF_8);
        rig.pushBetweenGoodJobs(payload);

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

        assertThat(rig.retried(payload.getBytes(UTF_8))).contains("\"error_class\":\"NameError\"");
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
        assertThat(rig.retried(payload.getBytes(UTF_8))).contains("\"error_class\":\"NameError\"");
    }

    @Test
    void aClassNameOfTenKilobytesMakesAShortMessage() {
        String payload = job("A".repeat(10_000), "[]", "long");

        assertThat(rig.retried(payload.getBytes(UTF_8))).hasSizeLessThan(payload.length() + 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"a\":1}", "\"x\"", "1", "true"})
    void argsThatAreNoArrayAreSplatted(String args) {
        String jid = rig.newJid();

        rig.pushBetweenGoodJobs(job("PlainJob", args, jid).getBytes(UTF_8));

        place.await("it runs", () -> place.ledger().byJid("end").containsKey(jid));
        assertThat(place.number("EXISTS", "retry", "dead")).isZero();
    }

    @Test
    void theLastRetryLeadsToTheDeadSet() {
        String payload = "{\"class\":\"NoSuchJob\",\"args\":[],\"retry\":0}";
        rig.pushBetweenGoodJobs(payload.getBytes(UTF_8));

        place.await("it is in the dead set", () -> place.number("ZCARD", "dead") == 1);
        assertThat(Workplace.text(place.strings("ZRANGE", "dead", "0", "-1").getFirst()))
                .startsWith(payload.substring(0, payload.length() - 1))
                .contains("uninitialized constant NoSuchJob");
    }
}
