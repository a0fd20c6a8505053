package dev.mawashi.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A `JobQuery` as fields of text: those of a form, of an address, of a request's body.
///
/// Texts are meant as they are. `older` and `newer` are spans before now, or times; `after` and
/// `before`, which sets alone have, are times, or spans from now on (`-2h`: two hours ago).
public final class QueryFields {
    private static final List<String> OF_QUEUES =
            List.of("class", "error", "text", "jid", "tag", "older", "newer");

    private QueryFields() {}

    /// The names of the fields for a set.
    public static List<String> ofSets() {
        List<String> names = new ArrayList<>(OF_QUEUES);
        names.addAll(List.of("queue", "after", "before"));
        return List.copyOf(names);
    }

    /// The names of the fields for a queue.
    public static List<String> ofQueues() {
        return OF_QUEUES;
    }

    /// The names of the fields for Resque's failures.
    public static List<String> ofFailures() {
        return List.of("class", "queue", "error", "text");
    }

    /// A text that is no time.
    public static final class NoTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /// @param message for whoever wrote it: the field, the text and the remedy
        NoTime(String message) {
            super(message);
        }
    }

    /// Reads the fields that are there; an empty one counts as not given. Of times alone the white
    /// space around them does not count.
    ///
    /// @throws NoTime when a time is none
    public static JobQuery read(Map<String, String> fields, Instant now) {
        String jid = text(fields, "jid");
        return new JobQuery(
                jid.isEmpty() ? Set.of() : Set.of(jid),
                text(fields, "class"),
                text(fields, "queue"),
                text(fields, "error"),
                text(fields, "text"),
                text(fields, "tag"),
                made(text(fields, "newer").strip(), text(fields, "older").strip(), now),
                new TimeRange(
                        due("after", text(fields, "after").strip(), now),
                        due("before", text(fields, "before").strip(), now)));
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }

    /// What was made in a range.
    ///
    /// @param newer a span before now, or a time; empty: any
    /// @param older the same
    /// @throws NoTime when one is neither
    public static TimeRange made(String newer, String older, Instant now) {
        return new TimeRange(ago("newer", newer, now), ago("older", older, now));
    }

    private static @Nullable Instant ago(String field, String text, Instant now) {
        if (text.isEmpty()) {
            return null;
        }
        return TimeText.span(text)
                .map(now::minus)
                .or(() -> TimeText.instant(text))
                .orElseThrow(() -> noTime(field, text));
    }

    /// @param field for the message, when the text is no time
    /// @param text a time, or a span from now on; empty: none
    /// @throws NoTime when it is neither
    public static @Nullable Instant due(String field, String text, Instant now) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.startsWith("-")) {
            return TimeText.span(text.substring(1))
                    .map(now::minus)
                    .orElseThrow(() -> noTime(field, text));
        }
        return TimeText.span(text.startsWith("+") ? text.substring(1) : text)
                .map((Duration span) -> now.plus(span))
                .or(() -> TimeText.instant(text))
                .orElseThrow(() -> noTime(field, text));
    }

    private static NoTime noTime(String field, String text) {
        String shown = text.length() <= 50 ? text : text.substring(0, 50) + "...";
        return new NoTime(
                field
                        + " "
                        + shown
                        + " is not a time: write "
                        + TimeText.SPANS
                        + ", or "
                        + TimeText.TIMES);
    }
}
