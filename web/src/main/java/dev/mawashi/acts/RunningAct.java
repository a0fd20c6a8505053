package dev.mawashi.acts;

import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Report;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An act on many jobs that goes on beside requests. Its thread writes how far it is; any other
/// reads that, and may end it.
public final class RunningAct {
    private final AuditEntry begun;
    private final long total;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Report sum = Report.NOTHING;
    private volatile long looked;
    private volatile boolean isEnding;
    private volatile @Nullable AuditEntry result;
    private volatile @Nullable RuntimeException failure;

    RunningAct(AuditEntry begun, long total) {
        this.begun = begun;
        this.total = total;
    }

    /// What is being done.
    public AuditEntry begun() {
        return begun;
    }

    /// What it came to so far.
    public Report sum() {
        return sum;
    }

    /// How many jobs it has looked at.
    public long looked() {
        return looked;
    }

    /// How many there were when it began.
    public long total() {
        return total;
    }

    /// Has it end after the step under way.
    void end() {
        isEnding = true;
    }

    void reached(Report sum, long looked) {
        this.sum = sum;
        this.looked = looked;
        if (isEnding) {
            throw new CancellationException();
        }
    }

    void finish(@Nullable AuditEntry result, @Nullable RuntimeException failure) {
        this.result = result;
        this.failure = failure;
        over.countDown();
    }

    /// Waits for its end.
    ///
    /// @return what it came to, as recorded; null when it goes on still
    /// @throws RuntimeException what failed it, such as a `RedisFailure`
    @Nullable AuditEntry await(Duration patience) {
        try {
            if (!over.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return null;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return null;
        }
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return result;
    }
}
