package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    private static final String ODD =
            " {\"z\" : 1.50,\t\"args\":[ 12345678901234567890123, 1e400, -0.0 ],\n"
                    + "\"unknown\":{\"a\":{\"queue\":\"inner\"}} , \"queue\":\"a\\u0062\"  } ";

    private static Payload parse(String json) {
        return Payload.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String with(String json, Map<String, String> changes) {
        return new String(parse(json).with(changes), StandardCharsets.UTF_8);
    }

    private static Map<String, String> changes(String... pairs) {
        Map<String, String> changes = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            changes.put(pairs[i], pairs[i + 1]);
        }
        return changes;
    }

    @Test
    void withoutChangesEveryByteStays() {
        assertThat(with(ODD, Map.of())).isEqualTo(ODD);
    }

    @Test
    void aChangedFieldKeepsItsPlaceAndAllElseItsBytes() {
        assertThat(with(ODD, changes("queue", "\"other\"")))
                .isEqualTo(ODD.replace("\"a\\u0062\"", "\"other\""));
        assertThat(with(ODD, changes("z", "2"))).isEqualTo(ODD.replace("1.50", "2"));
    }

    @Test
    void newFieldsGoToTheEndInTheOrderGiven() {
        assertThat(with("{\"a\":1 }", changes("c", "[]", "a", "2", "b", "null")))
                .isEqualTo("{\"a\":2 ,\"c\":[],\"b\":null}");
    }

    @Test
    void anEmptyObjectGetsItsFirstFieldWithoutAComma() {
        assertThat(with("{}", changes("a", "1"))).isEqualTo("{\"a\":1}");
        assertThat(with(" { } ", changes("a", "1", "b", "2"))).isEqualTo(" { \"a\":1,\"b\":2} ");
    }

    @Test
    void aFieldWhoseNameIsEscapedIsTheSameField() {
        assertThat(with("{\"\\u0071ueue\":\"x\"}", changes("queue", "\"y\"")))
                .isEqualTo("{\"\\u0071ueue\":\"y\"}");
    }

    @Test
    void bytesThatAreNoUtf8SurviveAChange() {
        byte[] head = "{\"args\":[\"".getBytes(StandardCharsets.UTF_8);
        byte[] tail = "\"],\"n\":1}".getBytes(StandardCharsets.UTF_8);
        byte[] json = Arrays.copyOf(head, head.length + 2 + tail.length);
        json[head.length] = (byte) 0xff;
        json[head.length + 1] = (byte) 0xfe;
        System.arraycopy(tail, 0, json, head.length + 2, tail.length);

        byte[] changed = Payload.parse(json).with(Map.of("n", "2"));

        json[json.length - 2] = '2';
        assertThat(changed).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"b\":2,\"\\u0061\":3}",
                "[]",
                "[1,2]",
                "\"text\"",
                "12",
                "null",
                "",
                "{\"a\":1}x",
                "{\"a\":1}{}",
                "{\"a\":tru}",
                "not json",
            })
    void whatIsNotOneObjectWithDistinctFieldsIsRefused(String json) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(MalformedPayload.class);
        assertThat(Payload.tryParse(json.getBytes(StandardCharsets.UTF_8))).isNull();
    }

    @Test
    void theAppsOwnClassIsTheOneThatActiveJobWraps() {
        assertThat(parse("{\"class\":\"W\",\"wrapped\":\"A\"}").jobClass()).isEqualTo("A");
        assertThat(parse("{\"class\":\"A\",\"wrapped\":1}").jobClass()).isEqualTo("A");
        assertThat(parse("{\"class\":1}").jobClass()).isNull();
    }

    @Test
    void theSameNameInNestedObjectsIsNoDuplicate() {
        assertThat(parse("{\"a\":{\"a\":1},\"b\":[{\"a\":2}]}").raw("a")).isEqualTo("{\"a\":1}");
    }

    @Test
    void aValueIsReadAsTheKindThatIsAskedFor() {
        Payload payload =
                parse(
                        "{\"s\":\"t\\n\\u00e9\",\"i\":-25,\"f\":1.0,\"big\":2147483648,\"huge\":-123456789012345678901,\"n\":null}");

        assertThat(payload.text("s")).isEqualTo("t\n\u00e9");
        assertThat(payload.text("i")).isNull();
        assertThat(payload.text("absent")).isNull();
        assertThat(payload.integer("i")).hasValue(-25);
        assertThat(payload.integer("f")).isEmpty();
        assertThat(payload.integer("big")).hasValue(Integer.MAX_VALUE);
        assertThat(payload.integer("huge")).hasValue(Integer.MIN_VALUE);
        assertThat(payload.integer("s")).isEmpty();
        assertThat(payload.raw("n")).isEqualTo("null");
        assertThat(payload.raw("absent")).isNull();
    }

    @Test
    void truthIsRubys() {
        Payload payload = parse("{\"t\":true,\"f\":false,\"n\":null,\"zero\":0,\"empty\":\"\"}");

        assertThat(payload.isTruthy("t")).isTrue();
        assertThat(payload.isTruthy("zero")).isTrue();
        assertThat(payload.isTruthy("empty")).isTrue();
        assertThat(payload.isTruthy("f")).isFalse();
        assertThat(payload.isTruthy("n")).isFalse();
        assertThat(payload.isTruthy("absent")).isFalse();
        assertThat(payload.isTrue("t")).isTrue();
        assertThat(payload.isTrue("zero")).isFalse();
        assertThat(payload.isFalse("f")).isTrue();
        assertThat(payload.isFalse("n")).isFalse();
    }

    @Test
    void aFieldIsFoundByItsWholeNameInAnyAlphabet() {
        Payload payload =
                parse(
                        "{\"jid\":1,\"j\":2,\"jidx\":3,\"\u00e9\":4,\"\\u00e8\":5,\"\ud83d\ude00\":6,\"\":7}");

        assertThat(payload.raw("j")).isEqualTo("2");
        assertThat(payload.raw("jid")).isEqualTo("1");
        assertThat(payload.raw("jidx")).isEqualTo("3");
        assertThat(payload.raw("ji")).isNull();
        assertThat(payload.raw("\u00e9")).isEqualTo("4");
        assertThat(payload.raw("\u00e8")).isEqualTo("5");
        assertThat(payload.raw("\ud83d\ude00")).isEqualTo("6");
        assertThat(payload.raw("")).isEqualTo("7");
        assertThat(payload.offset("j")).isEqualTo(13);
        assertThat(payload.offset("k")).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 12, 13, 31, 32, 33, 34, 1_000})
    void ofAnyNumberOfFieldsEachIsFoundAndNoneMayComeTwice(int count) {
        String fields = manyFields(count);

        Payload payload = parse("{" + fields + "}");

        for (int i = 0; i < count; i++) {
            assertThat(payload.raw("f" + i)).isEqualTo(Integer.toString(i));
        }
        for (String twin : new String[] {"f0", "f" + (count - 1), "\\u0066" + (count / 2)}) {
            assertThatThrownBy(() -> parse("{" + fields + ",\"" + twin + "\":null}"))
                    .isInstanceOf(MalformedPayload.class)
                    .hasMessageContaining("twice");
        }
    }

    /// Compared pair by pair they would take minutes.
    @Test
    void hundredsOfThousandsOfFieldsAreRead() {
        assertThat(parse("{" + manyFields(300_000) + "}").raw("f299999")).isEqualTo("299999");
    }

    private static String manyFields(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"f" + i + "\":" + i)
                .collect(Collectors.joining(","));
    }
}
