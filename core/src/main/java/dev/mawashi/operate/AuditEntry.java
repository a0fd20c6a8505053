package dev.mawashi.operate;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// A change that somebody has made, or is about to make.
///
/// @param id names it, in links and for its undoing
/// @param act the word for it, such as `delete`
/// @param place where: `retry`, `queue:low`, a process's identity
/// @param to the queue to which jobs went; "" for none
/// @param detail which jobs, and how it went
/// @param state whether it came to an end
/// @param report what it came to
/// @param kept how many jobs were kept, at most, so that it can be undone
public record AuditEntry(
        String id,
        Instant at,
        Author author,
        String act,
        String place,
        String to,
        String detail,
        State state,
        Report report,
        int kept) {
    /// Longest name of a place; a longer one is cut, and what is done there cannot be undone.
    public static final int PLACE_MAX = 300;

    private static final int DETAIL_MAX = 300;

    /// The progress of an act.
    public enum State {
        /// It is under way, or its process died.
        BEGUN,
        /// It was done.
        DONE,
        /// It was ended before all was done.
        ENDED,
        /// Redis failed it; a part may have been done.
        FAILED;

        /// The word for it, such as `done`.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public AuditEntry {
        place = cut(place, PLACE_MAX);
        to = cut(to, PLACE_MAX);
        detail = cut(detail, DETAIL_MAX);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /// The same once more is known.
    AuditEntry with(State state, Report report, int kept) {
        return new AuditEntry(id, at, author, act, place, to, detail, state, report, kept);
    }

    /// The same with what it came to in words.
    AuditEntry with(String detail) {
        return new AuditEntry(id, at, author, act, place, to, detail, state, report, kept);
    }

    /// Whether the names are whole, so that what is kept can find its way back.
    public boolean hasWholeNames() {
        return place.length() < PLACE_MAX && to.length() < PLACE_MAX;
    }

    /// One JSON object on one line, of at most 8 KiB.
    public String json() {
        return fields().toString();
    }

    /// The same, for more fields to follow.
    public JsonFields fields() {
        return new JsonFields()
                .text("id", id)
                .text("at", at.toString())
                .text("who", author.name())
                .text("role", author.role())
                .text("address", author.address())
                .text("act", act)
                .text("place", place)
                .text("to", to)
                .text("detail", detail)
                .text("state", state.word())
                .number("touched", report.touched())
                .number("gone", report.gone())
                .number("malformed", report.malformed())
                .number("trimmed", report.trimmed())
                .number("kept", kept);
    }

    /// @return empty for a line that is none of ours
    static Optional<AuditEntry> parse(String line) {
        Payload fields = Payload.tryParse(line.getBytes(StandardCharsets.UTF_8));
        if (fields == null || fields.text("id") == null) {
            return Optional.empty();
        }
        try {
            Author author =
                    new Author(text(fields, "who"), text(fields, "role"), text(fields, "address"));
            Report report =
                    new Report(
                            number(fields, "touched"),
                            number(fields, "gone"),
                            number(fields, "malformed"),
                            number(fields, "trimmed"));
            return Optional.of(
                    new AuditEntry(
                            text(fields, "id"),
                            Instant.parse(text(fields, "at")),
                            author,
                            text(fields, "act"),
                            text(fields, "place"),
                            text(fields, "to"),
                            text(fields, "detail"),
                            State.valueOf(text(fields, "state").toUpperCase(Locale.ROOT)),
                            report,
                            (int) number(fields, "kept")));
        } catch (DateTimeException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String text(Payload fields, String name) {
        return Objects.requireNonNullElse(fields.text(name), "");
    }

    private static long number(Payload fields, String name) {
        String raw = fields.raw(name);
        return raw == null ? 0 : Long.parseLong(raw);
    }
}
