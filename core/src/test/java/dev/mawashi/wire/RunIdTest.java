package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunIdTest {
    @Test
    void itNamesTheProcessInAnyEpoch() {
        RunId run = RunId.of("web-1:4711:0f3a1c2b9d8e#0", 17);

        assertThat(run).hasToString("0f3a1c2b9d8e-17");
        assertThat(RunId.of("web-1:4711:0f3a1c2b9d8e#12", 17)).isEqualTo(run);
        assertThat(RunId.parse("0f3a1c2b9d8e-17")).contains(run);
        assertThat(run.isOf("other:1:0f3a1c2b9d8e#3")).isTrue();
        assertThat(run.isOf("web-1:4711:0f3a1c2b9d8f#0")).isFalse();
    }

    @Test
    void otherTextIsNone() {
        for (String text : new String[] {"", "-1", "a", "a-", "a-x", "a-1234567890123456789"}) {
            assertThat(RunId.parse(text)).as(text).isEmpty();
        }
    }
}
