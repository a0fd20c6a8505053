package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.figures.Stats;
import dev.mawashi.figures.Stats.QueueStats;
import dev.mawashi.fleet.WorkEntry;
import dev.mawashi.fleet.WorkView;
import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopFrameTest {
    private static final Instant START = Instant.parse("2026-11-22T18:00:00Z");

    private static TopReading reading(long second, long processed, long failed, String name) {
        List<QueueStats> queues =
                IntStream.range(0, 30)
                        .mapToObj(i -> new QueueStats(name + i, i, 0, 61, i == 29, true, true))
                        .toList();
        byte[] job =
                "{\"class\":\"%s\",\"jid\":\"j\"}".formatted(name).getBytes(StandardCharsets.UTF_8);
        WorkView work =
                new WorkView(
                        "p",
                        new WorkEntry(
                                "t", name, job, Optional.of(START), WorkEntry.Place.UNKNOWN, ""),
                        JobView.of(job, Redaction.NONE));
        return new TopReading(
                START.plusSeconds(second),
                new Stats(processed, failed, 0, 0, 0, 0, 0, queues),
                List.of(),
                List.of(work, work, work, work, work, work, work, work, work, work));
    }

    @Test
    void ratesComeFromTwoReadings() {
        TopReading first = reading(0, 1_000, 10, "q");
        List<String> lines = TopFrame.UNBOUNDED.of(reading(2, 6_001, 13, "q"), first);
        assertThat(lines.get(2).split(" +")).startsWith("6,001", "2,500.5", "13", "1.5");
    }

    @Test
    void aCounterThatWasResetHasNoRate() {
        TopReading first = reading(0, 1_000, 10, "q");
        assertThat(TopFrame.UNBOUNDED.of(reading(2, 5, 13, "q"), first).get(2).split(" +"))
                .startsWith("5", "-", "13", "1.5");
        assertThat(TopFrame.UNBOUNDED.of(reading(0, 1_000, 10, "q"), first).get(2).split(" +"))
                .startsWith("1,000", "-", "10", "-");
    }

    @ParameterizedTest
    @CsvSource({"24,80", "10,20", "3,5", "1,1", "60,200"})
    void noLineIsWiderAndNoFrameHigherThanTheTerminal(int rows, int columns) {
        for (String name : List.of("q", "x".repeat(500), "日本".repeat(50), "😀".repeat(50))) {
            TopReading reading = reading(2, 1, 1, name);
            TopFrame frame = new TopFrame(rows, columns);
            for (List<String> lines :
                    List.of(frame.of(reading, reading), frame.withTrouble(name, reading))) {
                assertThat(lines).hasSizeBetween(1, rows);
                assertThat(lines).allMatch(line -> width(line) <= columns);
            }
        }
    }

    private static int width(String line) {
        return line.codePoints().map(one -> one > 0x2fff ? 2 : 1).sum();
    }

    @Test
    void theDeepestQueuesComeFirstAndTheRestIsCounted() {
        List<String> lines = new TopFrame(24, 80).of(reading(90, 1, 1, "q"), null);
        assertThat(lines.get(5)).startsWith("q29 ").contains("1 min 1 s", "paused");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("... "))
                .containsExactly("... 23 more", "... 2 more");
        assertThat(lines).anyMatch(line -> line.matches("q +q +1 min 30 s +j"));
        assertThat(lines).hasSize(24);
    }

    @Test
    void whatATerminalObeysIsNotPrinted() {
        TopReading reading = reading(2, 1, 1, "a\u009b31m\u202e");
        assertThat(TopFrame.UNBOUNDED.of(reading, null))
                .anyMatch(line -> line.startsWith("a?31m?29"))
                .noneMatch(line -> line.contains("\u009b") || line.contains("\u202e"));
        assertThat(TopFrame.UNBOUNDED.withTrouble("a\u001b[2J", null).getFirst())
                .endsWith(": a?[2J");
    }
}
