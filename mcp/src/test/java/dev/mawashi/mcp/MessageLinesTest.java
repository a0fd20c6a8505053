package dev.mawashi.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class MessageLinesTest {
    private static MessageLines of(String text) {
        return new MessageLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageLines.Line next(MessageLines lines) throws IOException {
        return Objects.requireNonNull(lines.next());
    }

    private static String text(MessageLines lines) throws IOException {
        return new String(next(lines).bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void theLastLineNeedsNoEnd() throws IOException {
        MessageLines lines = of("a\n\né");
        assertThat(text(lines)).isEqualTo("a");
        assertThat(text(lines)).isEmpty();
        assertThat(text(lines)).isEqualTo("é");
        assertThat(lines.next()).isNull();
    }

    @Test
    void aLineUpToTheLimitIsKeptAndALongerOnePassedOver() throws IOException {
        String longest = "x".repeat(MessageLines.BYTES_MAX);
        MessageLines lines = of(longest + "\n" + longest + "y\nnext");
        assertThat(text(lines)).isEqualTo(longest);
        assertThat(next(lines).isWhole()).isFalse();
        assertThat(text(lines)).isEqualTo("next");
    }
}
