package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSearchTest {
    @ParameterizedTest
    @CsvSource({
        "abcdef, 0, 6, abc, true",
        "abcdef, 0, 6, def, true",
        "abcdef, 0, 6, abcdef, true",
        "abcdef, 0, 6, abcdefg, false",
        "abcdef, 0, 6, abd, false",
        // Only what stands whole between the two places.
        "abcdef, 1, 5, bcde, true",
        "abcdef, 1, 5, abc, false",
        "abcdef, 1, 5, ef, false",
        "abcdef, 1, 5, f, false",
        "abcdef, 2, 2, c, false",
        // One that begins within another that comes to nothing.
        "aaab, 0, 4, aab, true",
        "ababac, 0, 6, abac, true",
        "aaaa, 0, 4, aab, false",
        // Nothing is everywhere.
        "abcdef, 3, 3, '', true",
        "'', 0, 0, '', true",
        "'', 0, 0, a, false",
    })
    void findsWhatStandsBetweenTwoPlaces(
            String text, int from, int to, String wanted, boolean isThere) {
        assertThat(ByteSearch.isIn(bytes(text), from, to, bytes(wanted))).isEqualTo(isThere);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
