package dev.mawashi.inspect;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.RedactionTable;
import dev.mawashi.wire.Redaction;
import java.time.Duration;

/// The rules on what is hidden of jobs, for a reader: it asks Redis for them when it reads, and not
/// again for a second. One thread's.
public final class Redactor {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final RedactionTable table;
    private Redaction known = Redaction.NONE;
    private boolean isKnown;
    private long readAt;

    public Redactor(RedisConnection connection) {
        table = new RedactionTable(connection);
    }

    public Redaction redaction() {
        long now = System.nanoTime();
        if (!isKnown || now - readAt > FRESH.toNanos()) {
            known = table.read();
            isKnown = true;
            readAt = now;
        }
        return known;
    }
}
