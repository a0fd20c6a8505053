package dev.mawashi.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
    private static final byte[] BEGIN = {'"', 'e', 'x', 'p', 'i'};

    /// A place in it that few other texts have.
    private static final int RARE = 2;

    /// From this on a number is milliseconds: as seconds it would be the year 5138.
    private static final double MILLIS_MIN = 1e11;

    /// The year 9999.
    private static final double MILLIS_MAX = 253_402_300_799_999.0;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private Expiry() {}

    /// Whether a job's time is over. Costs some ten nanoseconds for a payload without one.
    ///
    /// @param payload may be no JSON; such a one has no time
    public static boolean isOver(byte[] payload, InstantSource clock) {
        if (!mayHave(payload)) {
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

    /// Looks for the rare letter, eight bytes at a time, since each job is looked into.
    private static boolean mayHave(byte[] bytes) {
        long letters = BEGIN[RARE] * ONES;
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            long others = (long) WORDS.get(bytes, at) ^ letters;
            if (((others - ONES) & ~others & HIGHS) != 0 && hasBegin(bytes, at)) {
                return true;
            }
        }
        return hasBegin(bytes, at);
    }

    /// Whether a field begins around one of the eight bytes.
    private static boolean hasBegin(byte[] bytes, int at) {
        int from = Math.max(0, at - RARE);
        int to = Math.min(bytes.length, at + Long.BYTES + BEGIN.length);
        return ByteSearch.isIn(bytes, from, to, BEGIN);
    }
}
