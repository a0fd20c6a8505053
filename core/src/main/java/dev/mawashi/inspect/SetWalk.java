package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.JobSet;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Goes through a set, or through a range of its scores, in the order in which it is listed. One
/// thread's.
///
/// It stands after so many entries of a score, and finds its place by them before each step: what
/// leaves or joins the set elsewhere meanwhile shifts nothing. Of entries with that same score some
/// may be passed over if others of them leave. Redis counts entries by score in a few steps,
/// however large the set is, so it takes as long in the midst of a set as at its beginning.
final class SetWalk {
    private static final Pattern PLACE =
            Pattern.compile("(-?inf|-?\\d{1,400}(?:\\.\\d{1,400})?):(\\d{1,18})");

    private final RedisConnection connection;
    private final JobReader reader;
    private final JobSet set;
    private final TimeRange range;
    private @Nullable String score;
    private long after;

    /// @param place where another walk stood; any other text for the beginning
    SetWalk(RedisConnection connection, JobSet set, TimeRange range, String place) {
        this.connection = connection;
        this.set = set;
        this.range = range;
        reader = new JobReader(connection, JobReader.PAGE_BYTES);
        Matcher matcher = PLACE.matcher(place);
        if (matcher.matches()) {
            score = matcher.group(1);
            after = Long.parseLong(matcher.group(2));
        }
    }

    private boolean isFalling() {
        return set == JobSet.DEAD;
    }

    /// Entries in the range, as of now.
    long size() {
        return Math.max(0, end() - begin());
    }

    /// How many of them it has gone through, as of now.
    long gone() {
        return Math.max(0, here() - begin());
    }

    /// The next entries, which it has not gone through yet; none at the end.
    List<JobEntry> peek(int most) {
        String place = score == null ? "" : "(" + score;
        return reader.scored(set, new LimitedReads.Span(place, after, from(), to()), most);
    }

    /// Goes beyond an entry, the next one.
    void pass(JobEntry entry) {
        String its = EntryKey.score(entry.score());
        after = its.equals(score) ? after + 1 : 1;
        score = its;
    }

    /// Where it stands, for another one to go on.
    String place() {
        return Objects.requireNonNullElse(score, "-inf") + ":" + after;
    }

    /// Ranks, in the order in which the set is listed.
    private long begin() {
        return before(from());
    }

    private long here() {
        return score == null ? begin() : Math.max(begin(), before("(" + score) + after);
    }

    private long end() {
        return to().isEmpty() ? reader.size(set) : before(to());
    }

    /// Bounds of the range.
    private String from() {
        Instant from = isFalling() ? range.to() : range.from();
        if (from == null) {
            return "";
        }
        return isFalling() ? number(from) : "(" + number(from);
    }

    private String to() {
        Instant to = isFalling() ? range.from() : range.to();
        if (to == null) {
            return "";
        }
        return isFalling() ? number(to) : "(" + number(to);
    }

    private static String number(Instant time) {
        return EntryKey.score(TimeRange.seconds(time));
    }

    /// How many entries are listed up to this bound.
    private long before(String bound) {
        if (bound.isEmpty()) {
            return 0;
        }
        Object count =
                isFalling()
                        ? connection.call("ZCOUNT", set.key(), bound, "+inf")
                        : connection.call("ZCOUNT", set.key(), "-inf", bound);
        return (Long) Objects.requireNonNull(count);
    }
}
