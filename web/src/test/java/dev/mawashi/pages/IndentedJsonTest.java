package dev.mawashi.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class IndentedJsonTest {
    @Test
    void aShortValueStaysOnOneLine() {
        assertThat(IndentedJson.of("{\"a\":[1,2]}")).isEqualTo("{\"a\":[1,2]}");
    }

    @Test
    void aLongOneStandsOverLinesAndKeepsItsStringsAndNumbers() {
        String json =
                "{\"note\":\"a, b: {c} \\\" [d]\",\"empty\": { },\"none\":[],"
                        + "\"lines\":[{\"id\":1.0},-2e5,null]}";

        assertThat(IndentedJson.of(json))
                .isEqualTo(
                        """
                        {
                          "note": "a, b: {c} \\" [d]",
                          "empty": {},
                          "none": [],
                          "lines": [
                            {
                              "id": 1.0
                            },
                            -2e5,
                            null
                          ]
                        }\
                        """);
    }

    @Test
    void whatIsDeepOrHugeStaysAsItIs() {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        String huge = "[\"" + "x".repeat(70_000) + "\",1]";

        assertThat(IndentedJson.of(deep)).isEqualTo(deep);
        assertThat(IndentedJson.of(huge)).isEqualTo(huge);
    }
}
