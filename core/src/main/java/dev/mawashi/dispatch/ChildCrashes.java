package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// At how many crashes of a capsule's children jobs were in hand. Safe for any thread.
///
/// A job is known by its queue and its bytes. Its lease would not do: where no child is there soon
/// enough to begin it again it goes back to its queue, and comes under another lease.
final class ChildCrashes {
    /// What other processes run meanwhile does not end here, and is forgotten after this.
    static final Duration KEPT = Duration.ofHours(1);

    static final int JOBS_MAX = 10_000;

    private record Note(int crashes, long atNanos) {}

    private final LongSupplier nanos;

    /// By a job's digest, the one that was counted last at the end. Guarded by this.
    private final Map<ByteBuffer, Note> notes = new LinkedHashMap<>();

    private volatile boolean isEmpty = true;

    ChildCrashes() {
        this(System::nanoTime);
    }

    ChildCrashes(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Counts a crash for the jobs that were in hand at it; for several of the same bytes once.
    synchronized void count(List<Lease> running) {
        long now = nanos.getAsLong();
        for (ByteBuffer job : digests(running)) {
            Note before = notes.remove(job);
            notes.put(job, new Note(before == null ? 1 : before.crashes() + 1, now));
        }
        dropOld();
    }

    /// At how many crashes this job was in hand.
    synchronized int of(Lease lease) {
        Note note = notes.get(digest(lease));
        return note == null ? 0 : note.crashes();
    }

    /// These jobs have ended, so that their crashes count no more.
    void forget(List<Lease> ended) {
        if (isEmpty) {
            return;
        }
        synchronized (this) {
            notes.keySet().removeAll(digests(ended));
            dropOld();
        }
    }

    private void dropOld() {
        Map.@Nullable Entry<ByteBuffer, Note> oldest = eldest();
        while (oldest != null && isOver(oldest.getValue())) {
            notes.remove(oldest.getKey());
            oldest = eldest();
        }
        isEmpty = notes.isEmpty();
    }

    private Map.@Nullable Entry<ByteBuffer, Note> eldest() {
        return notes.isEmpty() ? null : notes.entrySet().iterator().next();
    }

    private boolean isOver(Note note) {
        return notes.size() > JOBS_MAX || nanos.getAsLong() - note.atNanos() > KEPT.toNanos();
    }

    private static Set<ByteBuffer> digests(List<Lease> leases) {
        return leases.stream().map(ChildCrashes::digest).collect(Collectors.toSet());
    }

    private static ByteBuffer digest(Lease lease) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(lease.queue().getBytes(StandardCharsets.UTF_8));
            sha1.update((byte) 0);
            return ByteBuffer.wrap(sha1.digest(lease.payload()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
