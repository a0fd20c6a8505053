package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextTableTest {
    @Test
    void columnsAreAlignedToTheSideThatIsAsked() {
        TextTable numbers = new TextTable("queue", "waiting");
        numbers.row("a", "12");
        assertThat(numbers.toString()).isEqualTo("queue  waiting\na           12\n");

        TextTable texts = TextTable.ofText("jid", "class");
        texts.row("abcd", "A");
        assertThat(texts.toString()).isEqualTo("jid   class\nabcd  A\n");
    }

    @Test
    void nothingThatATerminalObeysIsPrinted() {
        assertThat(TextTable.printable("a\u001b[2Jb\u009b31m\r\n\u0007\u007f"))
                .isEqualTo("a?[2Jb?31m????");
        assertThat(TextTable.printable("\u202eevil\u2066\u2028\ud800")).isEqualTo("?evil???");
        assertThat(TextTable.printable("né 😀 日本")).isEqualTo("né 😀 日本");
    }

    @Test
    void jsonForTerminalsEscapesWhatTheyObeyAndIsTheSameJson() {
        assertThat(JobRows.escaped("{\"a\":\"é\u009b\u007f\u0080\"}"))
                .isEqualTo("{\"a\":\"é\\u009b\\u007f\\u0080\"}");
    }

    @Test
    void spansAreReadInTheirTwoLargestUnits() {
        assertThat(Spans.of(java.time.Duration.ofSeconds(4))).isEqualTo("4 s");
        assertThat(Spans.of(java.time.Duration.ofSeconds(723))).isEqualTo("12 min 3 s");
        assertThat(Spans.of(java.time.Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
        assertThat(Spans.of(java.time.Duration.ofHours(53))).isEqualTo("2 d 5 h");
    }
}
