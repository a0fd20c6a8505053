package dev.mawashi.wire;

import java.time.Instant;
import java.util.Locale;

/// How a payload writes times: Sidekiq up to 7 writes float seconds, Sidekiq 8 integer
/// milliseconds. A job keeps the style it was created in, because 6 and 7 misread milliseconds
/// (docs/formats/sidekiq.md, "Times").
public enum TimeStyle {
    FLOAT_SECONDS,
    INTEGER_MILLIS;

    private static final String[] WITNESSES = {"created_at", "enqueued_at", "failed_at"};

    /// The style of a payload; milliseconds when it holds no time.
    public static TimeStyle of(Payload payload) {
        for (String field : WITNESSES) {
            String raw = payload.raw(field);
            if (raw != null && !raw.isEmpty() && raw.charAt(0) != '"' && !raw.equals("null")) {
                boolean isFloat = raw.contains(".") || raw.contains("e") || raw.contains("E");
                return isFloat ? FLOAT_SECONDS : INTEGER_MILLIS;
            }
        }
        return INTEGER_MILLIS;
    }

    /// A time as JSON text, to the microsecond or the millisecond.
    public String format(Instant time) {
        return switch (this) {
            case INTEGER_MILLIS -> Long.toString(time.toEpochMilli());
            case FLOAT_SECONDS ->
                    String.format(
                            Locale.ROOT, "%d.%06d", time.getEpochSecond(), time.getNano() / 1000);
        };
    }
}
