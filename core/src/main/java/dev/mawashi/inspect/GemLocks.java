package dev.mawashi.inspect;

import dev.mawashi.redis.RedisCalls;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.LimitedReads;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Reads the locks of the gem sidekiq-unique-jobs 7.1 to 8, as its `lock.lua` writes them: a digest
/// in one of two sorted sets, and beside it a hash with the JIDs that hold it. One thread's.
final class GemLocks {
    private static final String GEM = "sidekiq-unique-jobs";

    private final RedisConnection connection;
    private final LimitedReads reads;

    GemLocks(RedisConnection connection, LimitedReads reads) {
        this.connection = connection;
        this.reads = reads;
    }

    /// Digests in one of the sets. A set of another type, or that this user may not read, has none:
    /// it hides no lock of our own.
    long size(String set) {
        RedisCalls.queue(connection, "ZCARD", set);
        Object reply = connection.flush().getFirst();
        if (reply instanceof RedisFailure failure && !failure.isOfOneCommand()) {
            throw failure;
        }
        return reply instanceof Long size ? size : 0;
    }

    /// One lock; empty when nobody holds it.
    Optional<LockView> one(String digest, long now) {
        for (String set : Keys.GEM_LOCKS) {
            if (size(set) > 0 && connection.call("ZSCORE", set, digest) != null) {
                return locks(List.of(digest), now).stream().findFirst();
            }
        }
        return Optional.empty();
    }

    /// Those of a step through one of the sets, by their digests. A set may have digests that
    /// nobody holds any more, until the gem's reaper takes them out.
    ///
    /// @param after digests up to this are left out
    List<LockView> locks(LimitedReads.Step step, String after, long now) {
        TreeSet<String> digests = new TreeSet<>();
        for (int i = 0; i < step.pairs().size(); i += 2) {
            digests.add(new String(step.pairs().get(i), StandardCharsets.UTF_8));
        }
        return locks(List.copyOf(digests.tailSet(after, after.isEmpty())), now);
    }

    private List<LockView> locks(List<String> digests, long now) {
        var holders = reads.hashes(keys(digests, Keys.LOCK_HOLDERS)).iterator();
        var facts = reads.texts(keys(digests, Keys.LOCK_FACTS)).iterator();
        digests.forEach(digest -> RedisCalls.queue(connection, "TTL", digest + Keys.LOCK_HOLDERS));
        Iterator<@Nullable Object> left =
                digests.isEmpty()
                        ? List.<@Nullable Object>of().iterator()
                        : connection.flush().iterator();
        List<LockView> locks = new ArrayList<>();
        for (String digest : digests) {
            List<String> jids = holders.next().keySet().stream().sorted().toList();
            byte[] text = facts.next();
            long seconds = left.next() instanceof Long number ? number : -1;
            if (!jids.isEmpty()) {
                locks.add(lock(digest, jids, text, seconds, now));
            }
        }
        return locks;
    }

    /// @param text of the gem's `lock_info`, where the app has it: a JSON object
    /// @param left seconds; below 0 without an end
    private static LockView lock(
            String digest, List<String> jids, byte @Nullable [] text, long left, long now) {
        String facts = text == null ? "{}" : new String(text, StandardCharsets.UTF_8);
        boolean ends = left >= 0;
        return new LockView(
                digest,
                JsonObject.of(facts).text("worker"),
                ends ? Optional.of(Instant.ofEpochMilli(now).plusSeconds(left)) : Optional.empty(),
                ends ? Math.max(1, left) : 0,
                jids,
                GEM);
    }

    private static List<byte[]> keys(List<String> digests, String ending) {
        return digests.stream().map(digest -> Keys.bytes(digest + ending)).toList();
    }
}
