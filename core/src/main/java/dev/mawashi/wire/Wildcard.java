package dev.mawashi.wire;

import java.util.Locale;

/// A pattern for names in which `*` stands for any number of characters; whether letters are
/// capitals does not matter. It looks at each name in time in proportion to both lengths.
public final class Wildcard {
    private final String pattern;

    public Wildcard(String pattern) {
        this.pattern = pattern.toLowerCase(Locale.ROOT);
    }

    /// Whether it matches every name.
    static boolean isAll(String pattern) {
        return !pattern.isEmpty() && pattern.chars().allMatch(c -> c == '*');
    }

    public boolean matches(String name) {
        String text = name.toLowerCase(Locale.ROOT);
        int at = 0;
        int star = -1;
        int resume = 0;
        int i = 0;
        while (i < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                resume = i;
            } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                // The last star takes one more.
                at = star + 1;
                i = ++resume;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
