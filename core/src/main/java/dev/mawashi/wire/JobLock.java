package dev.mawashi.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The lock that keeps others from enqueueing the same job: a field of the hash of locks that names
/// its end, its owner and the job's class. The client that takes it, `mawashi/unique` in Ruby,
/// writes its digest into the job's payload.
///
/// A job that comes into Redis a second time under its jid, as by the poller of another Sidekiq,
/// gets a number behind the digest. The owner's name is the jid with that number, so that the end
/// of the first does not free the lock of the second.
///
/// @param digest its field
/// @param owner whom the field names while the lock is this job's
public record JobLock(byte[] digest, byte[] owner) {
    /// The field with the digest.
    public static final String FIELD = "mw_lock";

    private static final RareText NAME = new RareText('"' + FIELD + '"', 2);

    private static final Pattern DIGEST = Pattern.compile("[\\w-]{14}");

    /// The digest, and the number if there is one.
    private static final Pattern VALUE = Pattern.compile("(" + DIGEST + ")((?:~\\d{1,9})?)");

    /// A job's lock, whoever holds it now; null when it has none. Costs some tens of nanoseconds
    /// for a payload without one.
    ///
    /// @param payload may be no JSON; such a one has none
    public static @Nullable JobLock of(byte[] payload) {
        if (!NAME.isIn(payload)) {
            return null;
        }
        Payload job = Payload.tryParse(payload);
        String value = job == null ? null : job.text(FIELD);
        String jid = job == null ? null : job.text("jid");
        return value == null || jid == null ? null : of(value, jid);
    }

    /// The same by what stands in its fields.
    ///
    /// @return null when that is no lock's
    public static @Nullable JobLock of(String value, String jid) {
        var found = VALUE.matcher(value);
        if (!found.matches()) {
            return null;
        }
        return new JobLock(Keys.bytes(found.group(1)), Keys.bytes(jid + found.group(2)));
    }

    /// A job's lock for scripts: digest and owner, or two empty words where it has none.
    public static List<byte[]> words(byte[] payload) {
        JobLock lock = of(payload);
        return lock == null ? List.of(new byte[0], new byte[0]) : List.of(lock.digest, lock.owner);
    }

    /// Whether a text may be a lock's digest.
    public static boolean isDigest(String text) {
        return DIGEST.matcher(text).matches();
    }

    /// The locks of those of these jobs that have one.
    public static List<JobLock> all(List<byte[]> payloads) {
        List<JobLock> locks = new ArrayList<>();
        for (byte[] payload : payloads) {
            JobLock lock = of(payload);
            if (lock != null) {
                locks.add(lock);
            }
        }
        return locks;
    }
}
