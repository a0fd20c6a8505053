package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.util.List;

/// The place where an act keeps removed entries, so that it can be undone for a while, and the room
/// that is left there. One thread's.
///
/// Once a job does not fit none after it is kept, so what is kept is always the act's beginning.
public final class Keeping {
    /// How long it is kept after the act's last step.
    public static final Duration KEPT = Duration.ofMinutes(10);

    /// Most jobs of one act.
    public static final int JOBS_MAX = 1_000;

    /// Most bytes of them.
    public static final int BYTES_MAX = 8 << 20;

    private final String key;
    private int left;
    private long bytesLeft;
    private int kept;

    private Keeping(String key, int left) {
        this.key = key;
        this.left = left;
        bytesLeft = BYTES_MAX;
    }

    /// @param act its id
    public static Keeping of(String act) {
        return new Keeping(Keys.undo(act), JOBS_MAX);
    }

    /// For an act that cannot be undone.
    public static Keeping nothing() {
        return new Keeping("", 0);
    }

    /// What the scripts that clear take: jobs, bytes, seconds.
    static List<byte[]> limits() {
        return List.of(ascii("" + JOBS_MAX), ascii("" + BYTES_MAX), ascii("" + KEPT.toSeconds()));
    }

    boolean isNothing() {
        return key.isEmpty();
    }

    byte[] key() {
        return Keys.bytes(key);
    }

    /// How many jobs were kept, or, if others took some meanwhile, fewer.
    public int kept() {
        return kept;
    }

    /// Has the first of these kept, as many as fit.
    ///
    /// @return how many
    int take(List<byte[]> jobs) {
        int taken = 0;
        while (taken < jobs.size() && left > 0) {
            bytesLeft -= jobs.get(taken).length;
            if (bytesLeft < 0) {
                left = 0;
                break;
            }
            left--;
            taken++;
        }
        kept += taken;
        return taken;
    }

    /// Notes that a script has kept so many.
    void took(int jobs) {
        kept += jobs;
        left = 0;
    }
}
