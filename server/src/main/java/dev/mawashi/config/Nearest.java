package dev.mawashi.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// The word that somebody probably meant: the one with the fewest letters to insert, delete or
/// change.
public final class Nearest {
    private Nearest() {}

    /// The nearest of the known words; empty when it, too, differs in more than a third of the
    /// letters and in more than two.
    public static Optional<String> to(String word, Collection<String> known) {
        int distanceMax = Math.max(2, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= distanceMax)
                .min(
                        Comparator.comparingInt((String candidate) -> distance(word, candidate))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /// Levenshtein's distance, one row of the table at a time.
    static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
