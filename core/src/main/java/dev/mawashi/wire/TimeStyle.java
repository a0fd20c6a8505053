package dev.mawashi.wire;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// The form of times in a payload: Sidekiq up to 7 writes float seconds, Sidekiq 8 integer
/// milliseconds. A job keeps the style it was created in, because 6 and 7 misread milliseconds
/// (docs/formats/sidekiq.md, "Times").
public enum TimeStyle {
    FLOAT_SECONDS,
    INTEGER_MILLIS;

    /// The year 9999.
    private static final double MILLIS_MAX = 253_402_300_799_999.0;

    private static final String[] WITNESSES = {"created_at", "enqueued_at", "failed_at"};

    /// The style in which a version of the sidekiq gem writes.
    ///
    /// @param version "" for the API that Mawashi ships
    public static TimeStyle ofGem(String version) {
        return version.matches("[0-7]\\..*") ? FLOAT_SECONDS : INTEGER_MILLIS;
    }

    /// The style of a payload; milliseconds when it holds no time.
    public static TimeStyle of(Payload payload) {
        return of(payload, INTEGER_MILLIS);
    }

    /// The style of a payload.
    ///
    /// @param other its style when it holds no time
    public static TimeStyle of(Payload payload, TimeStyle other) {
        for (String field : WITNESSES) {
            String raw = payload.raw(field);
            if (raw != null && !raw.isEmpty() && raw.charAt(0) != '"' && !raw.equals("null")) {
                boolean isFloat = raw.contains(".") || raw.contains("e") || raw.contains("E");
                return isFloat ? FLOAT_SECONDS : INTEGER_MILLIS;
            }
        }
        return other;
    }

    /// A time field of a payload, whichever style it is written in; empty when it is no number or
    /// none that could be meant.
    public static Optional<Instant> read(Payload payload, String field) {
        String raw = payload.raw(field);
        if (raw == null) {
            return Optional.empty();
        }
        try {
            boolean isFloat = raw.contains(".") || raw.contains("e") || raw.contains("E");
            double millis = Double.parseDouble(raw) * (isFloat ? 1_000 : 1);
            return Math.abs(millis) <= MILLIS_MAX
                    ? Optional.of(Instant.ofEpochMilli((long) millis))
                    : Optional.empty();
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// A time as JSON text, to the microsecond or the millisecond. Float seconds have no trailing
    /// zeros, as Ruby writes them: Sidekiq's `reschedule` looks for an entry by its bytes, written
    /// anew by Ruby.
    public String format(Instant time) {
        return switch (this) {
            case INTEGER_MILLIS -> Long.toString(time.toEpochMilli());
            case FLOAT_SECONDS -> floatSeconds(time.getEpochSecond(), time.getNano() / 1_000);
        };
    }

    private static String floatSeconds(long seconds, int micros) {
        String text = String.format(Locale.ROOT, "%d.%06d", seconds, micros);
        int end = text.length();
        while (text.charAt(end - 1) == '0' && text.charAt(end - 2) != '.') {
            end--;
        }
        return text.substring(0, end);
    }
}
