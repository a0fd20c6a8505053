package dev.mawashi.children;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a process prints: hands on each line, and remembers the last ones for the case that the
/// process dies.
final class Printed {
    private static final int LINES_KEPT = 5;
    private static final int LINE_CHARACTERS_MAX = 10_000;

    private final Consumer<String> lines;
    private final Deque<String> last = new ArrayDeque<>();

    Printed(Consumer<String> lines) {
        this.lines = lines;
    }

    /// Reads to the end.
    void read(InputStream stream) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line = line(reader);
            while (line != null) {
                add(line);
                line = line(reader);
            }
        } catch (IOException _) {
            // The process has ended; what it printed before was read.
        }
    }

    /// A line without an end is cut into pieces, so that none fills the memory.
    private static @Nullable String line(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        int character = reader.read();
        if (character < 0) {
            return null;
        }
        while (character >= 0 && character != '\n' && line.length() < LINE_CHARACTERS_MAX) {
            line.append((char) character);
            character = reader.read();
        }
        return line.toString();
    }

    private synchronized void add(String line) {
        last.addLast(line);
        if (last.size() > LINES_KEPT) {
            last.removeFirst();
        }
        lines.accept(line);
    }

    synchronized List<String> last() {
        return new ArrayList<>(last);
    }
}
