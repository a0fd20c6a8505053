package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The letters of frames, here and in the Ruby that speaks them.
final class FrameKindTest {
    private static final Path RUBY = Path.of("../ruby/src/main/ruby/mawashi/children");

    /// Where a letter is said, or heard.
    private static final Pattern SAID =
            Pattern.compile("(?:(?:write|ask)\\(|kind =?= )\"([A-Za-z])\"|when (\"[A-Z]\".*)");

    private static final Pattern LETTER = Pattern.compile("\"([A-Za-z])\"");

    private static List<String> letters() {
        return Stream.of(FrameKind.values()).map(kind -> "" + kind.letter()).toList();
    }

    @Test
    void eachKindIsKnownByItsOwnLetter() {
        for (FrameKind kind : FrameKind.values()) {
            assertThat(FrameKind.of((byte) kind.letter())).isEqualTo(kind);
        }
    }

    @Test
    void whatIsNoLetterIsNoKind() {
        for (char letter : "@[a\0".toCharArray()) {
            assertThat(FrameKind.of((byte) letter)).isNull();
        }
    }

    @Test
    void rubySaysAndHearsTheseAndNoOthers() throws IOException {
        List<String> said = new ArrayList<>();
        try (Stream<Path> files = Files.list(RUBY)) {
            for (Path file : files.toList()) {
                SAID.matcher(Files.readString(file))
                        .results()
                        .flatMap(place -> LETTER.matcher(place.group()).results())
                        .forEach(letter -> said.add(letter.group(1)));
            }
        }
        assertThat(new TreeSet<>(said)).isEqualTo(new TreeSet<>(letters()));
    }
}
