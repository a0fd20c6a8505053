package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A text is found however JSON writes it.
final class TextSearchTest {
    private static boolean isIn(String text, String payload) {
        return new TextSearch(text).test(payload.getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"class\":\"A\",\"args\":[\"Jürgen O'Neil\"]}",
                "{\"class\":\"A\",\"args\":[\"J\\u00fcrgen O'Neil\"]}",
                "{\"class\":\"A\",\"args\":[\"J\\u00FCrgen\\u0020O\\u0027Neil\"]}",
                "{\"class\":\"A\",\"args\":[\"Ju\\u0308rgen O'Neil\"]}",
                "{\"class\":\"A\",\"args\":[{\"Jürgen O'Neil\":1}]}",
                // JSON as a text inside JSON, twice.
                "{\"class\":\"A\",\"args\":[\"{\\\"n\\\":\\\"J\\\\u00fcrgen O'Neil\\\"}\"]}",
                "{\"class\":\"A\",\"args\":[\"\\\"{\\\\\\\"n\\\\\\\":\\\\\\\"J\\\\\\\\u00fcrgen O'Neil\\\\\\\"}\\\"\"]}",
                "{\"class\":\"A\",\"args\":[],\"error_message\":\"no mail for Jürgen O'Neil\"}",
                "no JSON, Jürgen O'Neil",
                "no JSON, J\\u00fcrgen O'Neil",
            })
    void eachWritingIsFound(String payload) {
        assertThat(isIn("Jürgen O'Neil", payload)).isTrue();
        assertThat(isIn("Jürgen O'Neill", payload)).isFalse();
    }

    @Test
    void slashesAndPairsOfSurrogatesAreFoundToo() {
        assertThat(isIn("a/b", "{\"args\":[\"a\\/b\"]}")).isTrue();
        assertThat(isIn("x😀y", "{\"args\":[\"x\\ud83d\\ude00y\"]}")).isTrue();
        assertThat(isIn("a\"b", "{\"args\":[\"a\\\"b\"]}")).isTrue();
    }

    @Test
    void namesOfTheJobAreNotLookedAt() {
        String job = "{\"class\":\"Anna\",\"queue\":\"anna\",\"jid\":\"anna1\",\"args\":[]}";
        assertThat(isIn("Anna", job)).isFalse();
        assertThat(isIn("anna", job)).isFalse();
        assertThat(isIn("class", job)).isTrue();
    }

    @Test
    void theBytesOfAFailureAreLookedAt() {
        String base64 = Base64.getEncoder().encodeToString("[\"anna\"]".getBytes(UTF_8));
        assertThat(isIn("anna", "{\"payload\":{},\"payload_base64\":\"" + base64 + "\"}")).isTrue();
        assertThat(isIn("anna", "{\"payload\":{},\"payload_base64\":\"!\"}")).isFalse();
    }
}
