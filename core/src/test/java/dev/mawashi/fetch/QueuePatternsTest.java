package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.Recorded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePatternsTest {
    private static final List<String> EXISTING =
            List.of("archive", "high", "low", "mail", "slow", "slow_eu");

    @Test
    void patternsMatchWhatRubySays() {
        List<String> wrong = new ArrayList<>();
        List<String> lines = Recorded.lines("fnmatch-3.1.2.txt");
        assertThat(lines).hasSize(456);
        for (String line : lines) {
            String[] words = line.split("\t", -1);
            if (new Glob(words[0]).matches(words[1]) != Boolean.parseBoolean(words[2])) {
                wrong.add(line);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "high,nowhere | high nowhere",
                "low, high ,low | low high",
                "* | archive high low mail slow slow_eu",
                "low,*,high | low archive high mail slow slow_eu",
                "*low,nowhere | low slow",
                "*,!slow* | archive high low mail",
                "slow,high,nowhere,!slow | high",
                "[a-h]* | archive high",
            })
    void queuesComeInTheOrderGivenAndPatternsInTheirNames(String queues, String expanded) {
        assertThat(String.join(" ", new QueuePatterns(queues).expand(EXISTING)))
                .isEqualTo(expanded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "high,,low", " ", "!slow", "[z-a]"})
    void whatNamesNoQueueIsRefused(String queues) {
        assertThatThrownBy(() -> new QueuePatterns(queues))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"");
    }

    @Test
    void aWorkersIdHasThemWithoutThoseLeftOut() {
        assertThat(new QueuePatterns("high, *,!slow").describe()).isEqualTo("high,*");
    }
}
