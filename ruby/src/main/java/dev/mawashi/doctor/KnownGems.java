package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// The table of gems with code for MRI alone, or with a part for JRuby: `gems.txt` beside this
/// class.
final class KnownGems {
    private static final String TABLE = "gems.txt";
    private static final int COLUMNS = 5;

    private KnownGems() {}

    /// The ways in which gems get on with JRuby.
    enum Fit {
        /// It needs MRI.
        NO,
        /// It has a gem for the platform java, which `Gemfile.lock` must name.
        JAVA,
        /// JRuby brings its own.
        OWN,
        /// It does without its C extension on JRuby, or reaches C by FFI.
        WORKS
    }

    /// @param since the version from which on the fit holds; "" for all
    /// @param remedy what to do, or what is different there
    /// @param source where it was read or tried, and in which version
    record Known(String name, String since, Fit fit, String remedy, String source) {
        /// Whether it holds for a version; "" is taken for the newest.
        boolean holdsFor(String version) {
            return since.isEmpty() || version.isEmpty() || Versions.compare(version, since) >= 0;
        }
    }

    /// The entries of each gem by its name, the newest version first.
    static Map<String, List<Known>> read() {
        try (InputStream table = KnownGems.class.getResourceAsStream(TABLE)) {
            String text = new String(Objects.requireNonNull(table, TABLE).readAllBytes(), UTF_8);
            Map<String, List<Known>> byName = new HashMap<>();
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(KnownGems::entry)
                    .forEach(one ->
                            byName.merge(
                                    one.name(),
                                    List.of(one),
                                    (before, more) ->
                                            List.of(before, more).stream()
                                                    .flatMap(List::stream)
                                                    .toList()));
            return byName;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TABLE + ": " + e.getMessage(), e);
        }
    }

    private static Known entry(String line) {
        List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        if (cells.size() != COLUMNS) {
            throw new IllegalStateException(TABLE + " has a line of " + cells.size() + ": " + line);
        }
        return new Known(
                cells.get(0),
                cells.get(1),
                Fit.valueOf(cells.get(2).toUpperCase(Locale.ROOT)),
                cells.get(3),
                cells.get(4));
    }
}
