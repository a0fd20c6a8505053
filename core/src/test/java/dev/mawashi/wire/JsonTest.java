package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static final long SEED = 42;

    private static String unquote(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return Json.unquote(bytes, 0, bytes.length);
    }

    @Test
    void everyStringComesBackAsItWas() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            String text = randomText(random);
            String quoted = Json.quote(text);
            new JsonScanner(quoted.getBytes(StandardCharsets.UTF_8)).skipString();
            assertThat(unquote(quoted)).as("seed %d, string %d", SEED, i).isEqualTo(text);
        }
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            int limit = random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1;
            int codePoint = random.nextInt(limit);
            boolean isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
            text.appendCodePoint(isSurrogate ? '"' : codePoint);
        }
        return text.toString();
    }

    @Test
    void onlyWhatMustBeEscapedIs() {
        assertThat(Json.quote("a\"b\\c/\n\r\t\b\u0000\u001f\u007f\u00e9\ud83d\ude00"))
                .isEqualTo("\"a\\\"b\\\\c/\\n\\r\\t\\b\\u0000\\u001f\u007f\u00e9\ud83d\ude00\"");
    }

    @Test
    void loneSurrogatesBecomeTheReplacementCharacter() {
        assertThat(Json.quote("\ud83d")).isEqualTo("\"\ufffd\"");
        assertThat(Json.quote("a\ude00b")).isEqualTo("\"a\ufffdb\"");
        assertThat(Json.quote("\ud83d\ud83d\ude00\ude00"))
                .isEqualTo("\"\ufffd\ud83d\ude00\ufffd\"");
    }

    @Test
    void allEscapesAreRead() {
        assertThat(unquote("\"\\b\\f\\n\\r\\t\\\"\\\\\\/\\u0041\\uD83D\\uDE00\""))
                .isEqualTo("\b\f\n\r\t\"\\/A\ud83d\ude00");
    }
}
