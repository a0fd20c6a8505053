package dev.mawashi.wire;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The time after which a job is not to begin.
///
/// `expires_in` is Sidekiq Pro's option: seconds from when the job came into its queue. Other
/// Sidekiqs put it into the payload too, as they do with each option. `expiry` is the time itself;
/// the first failure of a job adds it, since a retry comes into the queue anew.
public final class Expiry {
    /// The field with the time.
    public static final String FIELD = "expiry";

    private static final String SECONDS = "expires_in";

    /// Both begin with this.
    private static final RareText BEGIN = new RareText("\"expi", 2);

    /// From this on a number is milliseconds: as seconds it would be the year 5138.
    private static final double MILLIS_MIN = 1e11;

    /// The year 9999.
    private static final double MILLIS_MAX = 253_402_300_799_999.0;

    private Expiry() {}

    /// Whether a job's time is over. Costs some ten nanoseconds for a payload without one.
    ///
    /// @param payload may be no JSON; such a one has no time
    public static boolean isOver(byte[] payload, InstantSource clock) {
        if (!BEGIN.isIn(payload)) {
            return false;
        }
        Payload job = Payload.tryParse(payload);
        return job != null && of(job).filter(end -> clock.instant().isAfter(end)).isPresent();
    }

    /// A job's time: of `expiry`, or else of `expires_in` from `enqueued_at` on, or from
    /// `created_at` where it has none. Empty when it has none; a field that is no number above 0
    /// does not count.
    public static Optional<Instant> of(Payload job) {
        double end = number(job.raw(FIELD));
        if (end > 0) {
            return instant(end < MILLIS_MIN ? end * 1_000 : end);
        }
        double seconds = number(job.raw(SECONDS));
        if (!(seconds > 0)) {
            return Optional.empty();
        }
        return TimeStyle.read(job, "enqueued_at")
                .or(() -> TimeStyle.read(job, "created_at"))
                .flatMap(begin -> instant(begin.toEpochMilli() + seconds * 1_000));
    }

    private static Optional<Instant> instant(double millis) {
        return millis <= MILLIS_MAX
                ? Optional.of(Instant.ofEpochMilli((long) millis))
                : Optional.empty();
    }

    /// Zero when it is none. A duration of Rails may be written as a string.
    private static double number(@Nullable String raw) {
        if (raw == null) {
            return 0;
        }
        boolean isString = raw.length() > 1 && raw.startsWith("\"");
        try {
            return Double.parseDouble(isString ? raw.substring(1, raw.length() - 1) : raw);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
