package dev.mawashi.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.Redaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FirstFoundTest {
    /// @return the scores of those that are kept
    private static List<Double> kept(int most, long bytesMax, JobEntry... found) {
        FirstFound first = new FirstFound(JobEntry.ORDER, most, bytesMax);
        List.of(found).forEach(first::add);
        return first.entries().stream().map(JobEntry::score).toList();
    }

    private static JobEntry entry(double score, int size) {
        return new JobEntry(JobView.of("x".repeat(size).getBytes(UTF_8), Redaction.NONE), score);
    }

    @Test
    void theFirstAreKept() {
        assertThat(kept(2, 100, entry(3, 1), entry(1, 1), entry(2, 1))).containsExactly(1.0, 2.0);
    }

    @Test
    void fewerAreKeptWhereTheyAreLarge() {
        assertThat(kept(9, 100, entry(1, 60), entry(2, 60), entry(3, 1))).containsExactly(1.0);
    }

    @Test
    void oneIsKeptWhateverItsSize() {
        assertThat(kept(9, 100, entry(2, 1), entry(1, 200))).containsExactly(1.0);
    }

    @Test
    void noneIsKeptThatComesAfterOneThatIsNot() {
        Random random = new Random(1);
        for (int round = 0; round < 100; round++) {
            List<JobEntry> found = new ArrayList<>();
            IntStream.range(0, 50)
                    .forEach(score -> found.add(entry(score, 1 + random.nextInt(40))));
            Collections.shuffle(found, random);
            List<Double> kept = kept(30, 200, found.toArray(JobEntry[]::new));

            assertThat(kept).isNotEmpty();
            assertThat(kept)
                    .isEqualTo(IntStream.range(0, kept.size()).mapToObj(i -> (double) i).toList());
        }
    }
}
