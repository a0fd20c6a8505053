package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
    @ParameterizedTest
    @ValueSource(strings = {"{\"b\":[1]}", "[]", "\"text\"", "1", "null"})
    void whatOthersSayIsJsonIsPassedOn(String json) {
        assertThat(new JsonFields().checked("x", json)).hasToString("{\"x\":" + json + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "1,\"y\":2", "1}", "no", "[1],[2]"})
    void whatIsNoneIsNull(String text) {
        assertThat(new JsonFields().checked("x", text)).hasToString("{\"x\":null}");
    }

    @Test
    void fieldsKeepTheirOrder() {
        assertThat(new JsonFields().text("b", "é\"").number("a", 1).known("c", ""))
                .hasToString("{\"b\":\"é\\\"\",\"a\":1,\"c\":null}");
    }

    @Test
    void theFieldsOfAnotherObjectFollowItsOwn() {
        assertThat(new JsonFields().text("a", "x").all("{\"b\":1,\"a\":2}").toString())
                .isEqualTo("{\"a\":\"x\",\"b\":1,\"a\":2}");
        assertThat(new JsonFields().text("a", "x").all("{}").toString()).isEqualTo("{\"a\":\"x\"}");
        assertThat(new JsonFields().all("{\"b\":1}").toString()).isEqualTo("{\"b\":1}");
    }
}
