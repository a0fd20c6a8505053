package dev.mawashi.inspect;

import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.Keys;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A lock of a job that must not be enqueued twice, for people.
///
/// @param key its digest, which the job's payload has too
/// @param jobClass "" where a gem's lock does not say it
/// @param until when it ends if nobody frees it; empty for a gem's lock that has no end
/// @param secondsLeft until then, by Redis's clock; at least 1, but 0 without an end
/// @param owners as Redis has them, see `JobLock`; a gem's lock may have several
/// @param gem that has taken it; "" for our own
public record LockView(
        String key,
        String jobClass,
        Optional<Instant> until,
        long secondsLeft,
        List<String> owners,
        String gem) {
    public LockView {
        owners = List.copyOf(owners);
    }

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
                                found.group(3),
                                Optional.of(Instant.ofEpochMilli(end)),
                                (end - nowMillis + 999) / 1_000,
                                List.of(owner),
                                ""));
    }

    /// Of the job that holds it, or of several.
    public String jid() {
        return gem.isEmpty()
                ? AGAIN.matcher(owners.getFirst()).replaceFirst("")
                : String.join(" ", owners);
    }

    /// One of our own, as its job's end frees it.
    public JobLock held() {
        return new JobLock(Keys.bytes(key), Keys.bytes(owners.getFirst()));
    }

    /// Who holds it: `SyncJob jid=5f2a`.
    public String holder() {
        return (jobClass + " jid=" + jid()).strip();
    }

    public JsonFields json() {
        return new JsonFields()
                .text("key", key)
                .text("class", jobClass)
                .text("jid", jid())
                .time("until", until)
                .number("seconds_left", secondsLeft)
                .text("gem", gem);
    }
}
