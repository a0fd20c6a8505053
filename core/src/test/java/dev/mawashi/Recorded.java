package dev.mawashi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What real Sidekiqs wrote; the README beside the files says how it was recorded.
public final class Recorded {
    private Recorded() {}

    /// The lines of a recorded file.
    public static List<String> lines(String name) {
        try (InputStream in = Recorded.class.getResourceAsStream("recorded/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("nothing is recorded as " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
