package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonElementsTest {
    @Test
    void anArrayIsTakenApartAndItsElementsStayAsTheyAre() {
        assertThat(JsonElements.of("[ 1.50 , \"a,]\\\"\" ,[1, 2],{\"k\": [ ]} ,null]"))
                .containsExactly("1.50", "\"a,]\\\"\"", "[1, 2]", "{\"k\": [ ]}", "null");
        assertThat(JsonElements.of(" [ ] ")).isEmpty();
        assertThat(JsonElements.of("[\"é\",1]")).containsExactly("\"é\"", "1");
    }

    @Test
    void whatIsNoArrayIsRefused() {
        for (String wrong : new String[] {"{}", "1", "[1", "[1] 2", "[1 2]", ""}) {
            assertThatThrownBy(() -> JsonElements.of(wrong))
                    .as(wrong)
                    .isInstanceOf(MalformedPayload.class);
        }
    }

    @Test
    void aStringIsItsTextAndTheRestItsJson() {
        assertThat(JsonElements.plain("\"a\\n\\u00e9\"")).isEqualTo("a\né");
        assertThat(JsonElements.plain("[1, 2]")).isEqualTo("[1, 2]");
    }

    @Test
    void compactJsonKeepsWhatIsInsideStrings() {
        assertThat(JsonElements.compact("{ \"a b\" :\n[ 1,\t\" \\\" \\\\\" , 2 ] }"))
                .isEqualTo("{\"a b\":[1,\" \\\" \\\\\",2]}");
    }

    @Test
    void compactJsonIsTheSameValueWithoutSpaces() {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            String json = RandomJson.container(random);
            String compact = JsonElements.compact(json);
            new JsonScanner(compact.getBytes(StandardCharsets.UTF_8)).skipValue();
            assertThat(JsonElements.compact(compact)).isEqualTo(compact);
            assertThat(compact).doesNotContain("\n", "\t", "\r");
            assertThat(compact.replace(" ", "")).isEqualTo(json.replaceAll("\\s", ""));
        }
    }
}
