package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MarksTest {
    private static final int PLACES = 256;
    private static final long WELL = 1L << 61;

    @TempDir private Path folder;

    private Noted read(long[]... rows) throws IOException {
        try (Marks marks = open(rows)) {
            return Objects.requireNonNull(marks.read());
        }
    }

    private Marks open(long[]... rows) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(rows.length * PLACES * Long.BYTES);
        for (long[] row : rows) {
            for (int i = 0; i < PLACES; i++) {
                bytes.putLong(i < row.length ? row[i] : 0);
            }
        }
        Path file = Files.write(folder.resolve("marks"), bytes.array());
        Marks marks = Objects.requireNonNull(Marks.open(file));
        assertThat(file).doesNotExist();
        return marks;
    }

    @Test
    void allThatStandsThereWasBegun() throws IOException {
        try (Marks marks = open(new long[] {3, 5 + WELL, 8}, new long[] {4, WELL}, new long[0])) {
            assertThat(marks.ids()).containsExactlyInAnyOrder(0L, 3L, 4L, 5L, 8L);
        }
    }

    @Test
    void aJobIsDoneThatTheNextOneOfItsThreadSaysItOf() throws IOException {
        Noted noted = read(new long[] {3, 5 + WELL, 8, 9 + WELL}, new long[] {4}, new long[0]);

        assertThat(noted.begun()).containsExactly(9, 4, 0);
        assertThat(noted.done()).containsExactlyInAnyOrder(3, 8);
    }

    @Test
    void theLatestIsDoneIfThatIsSaidBehindIt() throws IOException {
        Noted noted = read(new long[] {3, 5 + WELL, WELL}, new long[] {4, 0});

        assertThat(noted.begun()).containsExactly(5, 4);
        assertThat(noted.done()).containsExactlyInAnyOrder(3, 5);
    }

    @Test
    void theOldestSaysNothingOfTheLatest() throws IOException {
        long[] row = new long[PLACES];
        for (int i = 0; i < PLACES; i++) {
            row[i] = 1_000 + i + WELL;
        }
        row[0] = 1_256 + WELL;
        row[1] = 1_257;

        Noted noted = read(row);

        assertThat(noted.begun()).containsExactly(1_257);
        assertThat(noted.done())
                .hasSize(PLACES - 2)
                .contains(1_002, 1_255)
                .doesNotContain(1_256, 1_257);
    }

    @Test
    void whatIsNoRowsSaysNothing() throws IOException {
        Path file = Files.write(folder.resolve("marks"), new byte[100]);

        assertThat(Objects.requireNonNull(Marks.open(file)).read()).isNull();
    }
}
