package dev.mawashi.tables;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.Redaction;
import dev.mawashi.wire.RedactionRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The rules of all servers on what is hidden of jobs, each server's as one record. One thread's.
///
/// A server writes its rules before it claims a job, and again while it runs. Whoever shows jobs
/// goes by all records together, so that no page has to know the app. A record that no server has
/// written for `KEPT` goes when another server writes: the jobs of an app may lie in Redis for long
/// after its last server has stopped, and rules that hide too much do less harm than none.
public final class RedactionTable {
    /// How long a record stays that nobody writes any more.
    public static final Duration KEPT = Duration.ofDays(7);

    /// Most records; with more of them everything is hidden.
    private static final int RECORDS_MAX = 1_000;

    private final RedisConnection connection;
    private final LimitedReads limited;

    public RedactionTable(RedisConnection connection) {
        this.connection = connection;
        limited = new LimitedReads(connection);
    }

    /// Writes a server's rules, and removes records that no server has written for long.
    ///
    /// @param rules none where the server has none
    public void write(List<RedactionRule> rules) {
        List<?> time = (List<?>) Objects.requireNonNull(connection.call("TIME"));
        String text = new String((byte[]) time.getFirst(), StandardCharsets.US_ASCII);
        long now = Long.parseLong(text);
        if (!rules.isEmpty()) {
            connection.call("ZADD", Keys.REDACT, text, RedactionRule.json(rules));
        }
        connection.call("ZREMRANGEBYSCORE", Keys.REDACT, "-inf", "(" + (now - KEPT.toSeconds()));
    }

    /// All rules. What Redis refuses to hand out, or is no record, hides everything.
    ///
    /// @throws RedisFailure when Redis does not answer
    public Redaction read() {
        try {
            return Redaction.ofRecords(records());
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            return Redaction.everything(Keys.REDACT + " is unreadable");
        }
    }

    private List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        while (records.size() <= RECORDS_MAX) {
            List<byte[]> pairs =
                    limited.scored(Keys.bytes(Keys.REDACT), false, records.size(), RECORDS_MAX);
            if (pairs.isEmpty()) {
                return records;
            }
            for (int i = 0; i < pairs.size(); i += 2) {
                records.add(pairs.get(i));
            }
        }
        // As a record that cannot be read.
        return List.of(new byte[0]);
    }
}
