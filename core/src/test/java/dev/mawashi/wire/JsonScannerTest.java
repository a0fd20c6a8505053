package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {
    private static final long SEED = 20261121;
    private static final int DOCUMENTS = 2_000;

    private static void scan(byte[] bytes) {
        JsonScanner scanner = new JsonScanner(bytes);
        scanner.skipValue();
        scanner.expectEnd();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "-0.0",
                "1e5",
                "1E+5",
                "1.25e-300",
                "9007199254740993",
                "123456789012345678901234567890",
                "1e999999999",
                "\"\"",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\ude00\"",
                "\"\\ud800\"",
                "\"h\u00e9 \u20ac \ud83d\ude00 \u007f\"",
                "{\"\":\"\",\"a\":{\"a\":{\"a\":[[],{}]}}}",
            })
    void whatJsonParseTakesIsTaken(String json) {
        assertThatCode(() -> scan(utf8(json))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "}",
                "]",
                "{]",
                "[}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\" 1}",
                "nul",
                "nullx",
                "True",
                "NaN",
                "Infinity",
                "-Infinity",
                "-",
                "- 1",
                "+1",
                ".5",
                "1.",
                "1.e5",
                "1e",
                "1e+",
                "01",
                "-01",
                "0x10",
                "1_000",
                "\"",
                "\"\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"a\nb\"",
                "\"a\tb\"",
                "\"a\u0000b\"",
                "\"a\u001fb\"",
                "\ufeff{}",
                "{} {}",
                "{}x",
                "[]]",
                "/* c */{}",
                "{}//c",
            })
    void everythingElseIsRefusedWithAReason(String json) {
        assertThatThrownBy(() -> scan(utf8(json)))
                .isInstanceOfSatisfying(
                        MalformedPayload.class,
                        malformed -> assertThat(malformed.reason()).contains("at byte "));
    }

    @Test
    void nestingOf100IsTheLimit() {
        assertThatCode(() -> scan(utf8(nested(100)))).doesNotThrowAnyException();
        assertThatThrownBy(() -> scan(utf8(nested(101))))
                .isInstanceOf(MalformedPayload.class)
                .hasMessageContaining("deeper than 100");
        assertThatThrownBy(() -> scan(utf8("[".repeat(1_000_000))))
                .isInstanceOf(MalformedPayload.class);
    }

    private static String nested(int depth) {
        return "[{\"a\":".repeat(depth / 2)
                + (depth % 2 == 1 ? "[]" : "1")
                + "}]".repeat(depth / 2);
    }

    @Test
    void siblingsDoNotAddToTheDepth() {
        String wide = "[" + "[[]],".repeat(1_000) + "{}]";

        assertThatCode(() -> scan(utf8(wide))).doesNotThrowAnyException();
    }

    @Test
    void bytesThatAreNoUtf8PassInsideStringsAndNowhereElse() {
        byte[] inside = {'"', (byte) 0xff, (byte) 0xc3, (byte) 0x80, '"'};
        byte[] outside = {'[', (byte) 0xff, ']'};

        assertThatCode(() -> scan(inside)).doesNotThrowAnyException();
        assertThatThrownBy(() -> scan(outside)).hasMessageContaining("0xff at byte 1");
    }

    @Test
    void itTellsIntegersFromOtherNumbersAndEscapedStringsFromPlainOnes() {
        assertThat(new JsonScanner(utf8("-12")).skipNumber()).isTrue();
        assertThat(new JsonScanner(utf8("-12.5")).skipNumber()).isFalse();
        assertThat(new JsonScanner(utf8("1e2")).skipNumber()).isFalse();
        assertThat(new JsonScanner(utf8("\"a\\n\"")).skipString()).isTrue();
        assertThat(new JsonScanner(utf8("\"a\"")).skipString()).isFalse();
    }

    @Test
    void aScannerCanBeUsedAgainAfterAFailure() {
        JsonScanner scanner = new JsonScanner(utf8("[".repeat(101)));
        assertThatThrownBy(scanner::skipValue).isInstanceOf(MalformedPayload.class);

        scanner.reset(utf8(nested(100)));

        assertThatCode(scanner::skipValue).doesNotThrowAnyException();
    }

    @Test
    void randomDocumentsAreTakenAndNoneOfTheirBeginningsIs() {
        Random random = new Random(SEED);
        for (int i = 0; i < DOCUMENTS; i++) {
            byte[] document = utf8(RandomJson.container(random));
            assertThatCode(() -> scan(document))
                    .as("seed %d, document %d: %s", SEED, i, text(document))
                    .doesNotThrowAnyException();
            for (int length = 0; length < document.length; length++) {
                byte[] beginning = Arrays.copyOf(document, length);
                assertThat(isRefused(beginning))
                        .as("seed %d, document %d: %s", SEED, i, text(beginning))
                        .isTrue();
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void randomBytesAreRefusedOrTakenAndNothingElseHappens() {
        Random random = new Random(SEED);
        List<String> seeds = List.of("{\"a\":[1,\"x\\u0041\",null]}", "[1.5e3,true,{}]");
        for (int i = 0; i < DOCUMENTS * 10; i++) {
            byte[] bytes = utf8(seeds.get(i % seeds.size()));
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            isRefused(bytes);
        }
    }

    private static boolean isRefused(byte[] bytes) {
        try {
            scan(bytes);
            return false;
        } catch (MalformedPayload _) {
            return true;
        }
    }
}
