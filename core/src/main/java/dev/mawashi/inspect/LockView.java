package dev.mawashi.inspect;

import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A lock of a job that must not be enqueued twice, for people.
///
/// @param key its digest, which the job's payload has too
/// @param jid of the job that holds it
/// @param until when it ends if nobody frees it
/// @param secondsLeft until then, by Redis's clock; at least 1
/// @param owner as Redis has it, see `JobLock`
public record LockView(
        String key, String jid, String jobClass, Instant until, long secondsLeft, String owner) {
    private static final Pattern VALUE =
            Pattern.compile("(\\d{1,15}) (.*) ([^ ]*)", Pattern.DOTALL);

    /// Numbers of jobs that came into Redis again.
    private static final Pattern AGAIN = Pattern.compile("~\\d{1,9}\\z");

    /// @param nowMillis of Redis's clock
    /// @return empty for what is no lock, and for one whose time is over
    static Optional<LockView> of(String key, String value, long nowMillis) {
        Matcher found = VALUE.matcher(value);
        if (!JobLock.isDigest(key) || !found.matches()) {
            return Optional.empty();
        }
        long end = Long.parseLong(found.group(1));
        String owner = found.group(2);
        return end <= nowMillis
                ? Optional.empty()
                : Optional.of(
                        new LockView(
                                key,
                                AGAIN.matcher(owner).replaceFirst(""),
                                found.group(3),
                                Instant.ofEpochMilli(end),
                                (end - nowMillis + 999) / 1_000,
                                owner));
    }

    /// The lock as its job's end frees it.
    public JobLock held() {
        return new JobLock(Keys.bytes(key), Keys.bytes(owner));
    }

    /// Who holds it: `SyncJob jid=5f2a`.
    public String holder() {
        return jobClass + " jid=" + jid;
    }

    public JsonFields json() {
        return new JsonFields()
                .text("key", key)
                .text("class", jobClass)
                .text("jid", jid)
                .text("until", until.toString())
                .number("seconds_left", secondsLeft);
    }
}
