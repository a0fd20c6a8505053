package dev.mawashi.inspect;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.regex.Pattern;

/// The key of a set's entry in addresses, as on Sidekiq's page: `SCORE-JID`.
///
/// @param score as Redis reads it
/// @param jid empty for an entry that has none
public record EntryKey(String score, String jid) {
    private static final Pattern SCORE = Pattern.compile("-?(inf|\\d{1,400}(\\.\\d{1,400})?)");

    /// The key of an entry of a set.
    public static EntryKey of(JobEntry entry) {
        return new EntryKey(score(entry.score()), entry.job().jid());
    }

    /// A score without an exponent.
    public static String score(double score) {
        return Double.isInfinite(score)
                ? (score > 0 ? "inf" : "-inf")
                : new BigDecimal(score).round(new MathContext(17)).toPlainString();
    }

    /// Reads a key.
    ///
    /// @return empty when the text is none
    public static Optional<EntryKey> parse(String text) {
        int dash = text.indexOf('-', 1);
        String score = dash < 0 ? text : text.substring(0, dash);
        String jid = dash < 0 ? "" : text.substring(dash + 1);
        return SCORE.matcher(score).matches()
                ? Optional.of(new EntryKey(score, jid))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return score + "-" + jid;
    }
}
