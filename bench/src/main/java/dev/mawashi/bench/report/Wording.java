package dev.mawashi.bench.report;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/// Figures in words, the same whatever language the machine is set to.
public final class Wording {
    private Wording() {}

    @FormatMethod
    public static String text(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    /// With a capital at its beginning, except where that is no letter of ASCII, as in `µs`.
    public static String capital(String text) {
        char first = text.charAt(0);
        return first >= 'a' && first <= 'z' ? (char) (first - 'a' + 'A') + text.substring(1) : text;
    }
}
