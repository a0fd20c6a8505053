package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

final class BacktraceTest {
    private static final String LINES = "[\"a.rb:1:in `x'\",\"b.rb:2\"]";

    private static String packed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return Base64.getMimeEncoder(60, new byte[] {'\n'}).encodeToString(bytes.toByteArray());
    }

    @Test
    void bothFormsOfTheFieldAreRead() throws IOException {
        assertThat(Backtrace.lines(LINES)).containsExactly("a.rb:1:in `x'", "b.rb:2");
        assertThat(Backtrace.lines(packed(LINES))).containsExactly("a.rb:1:in `x'", "b.rb:2");
    }

    @Test
    void whatCannotBeReadHasNoLines() throws IOException {
        assertThat(Backtrace.lines("")).isEmpty();
        assertThat(Backtrace.lines("!!")).isEmpty();
        assertThat(Backtrace.lines("[1,")).isEmpty();
        assertThat(Backtrace.lines("bm8gemxpYg==")).isEmpty();
        assertThat(Backtrace.lines(packed("{}"))).isEmpty();
        // Cut off, so that it is no array any more.
        assertThat(Backtrace.lines(packed("[\"" + "x".repeat(4 << 20) + "\"]"))).isEmpty();
    }
}
