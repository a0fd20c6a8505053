package dev.mawashi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JobRequestTest {
    private static JobRequest ofClass(String jobClass) {
        return new JobRequest(jobClass, "q", "[]", null, "true", List.of());
    }

    private static JobRequest inQueue(String queue) {
        return new JobRequest("A", queue, "[]", null, "true", List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A",
                "Report",
                "Billing::Report",
                "A::B::C_2",
                "Été::Œuvre",
                "com.acme.Report",
                "com.acme._x.Report$Inner",
            })
    void aConstantPathOrAJavaNameIsAClass(String jobClass) {
        assertThat(ofClass(jobClass).jobClass()).isEqualTo(jobClass);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "report",
                "A B",
                "A:B",
                "A::",
                "::A",
                "A::b",
                "A\n",
                "A\"B",
                "1A",
                "A;exit",
                "com..acme.A",
                "com.acme.",
                "\u0000A",
                "A\ud800",
            })
    void anythingElseIsNone(String jobClass) {
        assertThatThrownBy(() -> ofClass(jobClass))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no class name: write Report")
                .hasMessageMatching("[^\\p{Cntrl}\\p{Cs}]+");
    }

    @Test
    void aNameOfAnyLengthIsRefusedAtOnceAndShownInPart() {
        assertThatThrownBy(() -> ofClass("a".repeat(1 << 20)))
                .hasMessageContaining("class \"" + "a".repeat(50) + "…\" is no");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "low/50% \"é\"", "a b", "終"})
    void aQueueHasAnyNameThatCanBeRead(String queue) {
        assertThat(inQueue(queue).queue()).isEqualTo(queue);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " q", "q\n", "a\u0000b", "a\u0085b", "\ud800"})
    void aNameThatCannotBeReadIsNone(String name) {
        assertThatThrownBy(() -> inQueue(name)).hasMessageContaining("queue \"");
        assertThatThrownBy(() -> tagged(List.of("ok", name)))
                .hasMessageContaining("tag \"")
                .hasMessageContaining("is no name: give 1 to 200 characters");
    }

    @Test
    void namesAndTagsHaveALimit() {
        String most = "x".repeat(200);
        assertThat(inQueue(most).queue()).isEqualTo(most);
        assertThatThrownBy(() -> inQueue(most + "x")).hasMessageContaining("is no name");
        assertThat(tagged(Collections.nCopies(100, "t")).tags()).hasSize(100);
        assertThatThrownBy(() -> tagged(Collections.nCopies(101, "t")))
                .hasMessage("101 tags are more than 100");
    }

    private static JobRequest tagged(List<String> tags) {
        return new JobRequest("A", "q", "[]", null, "true", tags);
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false", "0", "5", "999999999"})
    void retryIsASwitchOrANumber(String retry) {
        assertThat(new JobRequest("A", "q", "[]", null, retry, List.of()).retry()).isEqualTo(retry);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "-1", "1.0", "1e3", "007", "1000000000", "\"5\"", "[]", "yes"})
    void anyOtherRetryIsRefused(String retry) {
        assertThatThrownBy(() -> new JobRequest("A", "q", "[]", null, retry, List.of()))
                .hasMessageContaining("is neither true nor false nor a number of retries");
    }
}
