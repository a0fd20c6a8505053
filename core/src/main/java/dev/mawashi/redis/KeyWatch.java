package dev.mawashi.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Reports when keys that were read have changed: one thread's part of `KeyReports`. It may report
/// a change that was none, and misses none that was.
///
/// It keeps the names of changed keys until `takeChanges`; the listener's thread adds to them under
/// the lock of `named`.
public final class KeyWatch implements AutoCloseable {
    /// How often to look when Redis cannot report changes.
    private static final Duration POLL = Duration.ofSeconds(1);

    private final KeyReports reports;
    private final RedisConnection connection;
    private final Predicate<String> isOf;
    private final Semaphore changes = new Semaphore(0);
    private final Set<String> named = new HashSet<>();
    private boolean areUnknown;
    private boolean isWatched;

    /// The keys that have changed.
    ///
    /// @param keys those that Redis has reported
    /// @param areUnknown any other may have changed too: for a while nothing was reported
    public record Changes(Set<String> keys, boolean areUnknown) {
        public Changes {
            keys = Set.copyOf(keys);
        }
    }

    KeyWatch(KeyReports reports, RedisConnection connection, Predicate<String> isOf) {
        this.reports = reports;
        this.connection = connection;
        this.isOf = isOf;
    }

    /// To read with; closed with this.
    public RedisConnection connection() {
        return connection;
    }

    /// Makes sure that keys which the connection reads from now on are watched. Called before each
    /// read.
    ///
    /// @return false when nothing is watched at the moment, so that the caller has to poll
    public boolean track() {
        isWatched = reports.track(this);
        return isWatched;
    }

    /// Called after reads: if there was a new connection for them, what was read is not watched.
    public void noteReads() {
        if (reports.isOfEarlier(connection)) {
            anyMayHaveChanged(false);
        }
    }

    /// What has changed since the last call.
    public Changes takeChanges() {
        synchronized (named) {
            Changes taken = new Changes(named, areUnknown);
            named.clear();
            areUnknown = false;
            return taken;
        }
    }

    /// @param isNews whether this ends an `await`
    void anyMayHaveChanged(boolean isNews) {
        synchronized (named) {
            areUnknown = true;
        }
        if (isNews) {
            changes.release();
        }
    }

    /// Some keys have changed, of this watch or others.
    void changed(Set<String> keys) {
        boolean isNews = false;
        synchronized (named) {
            for (String key : keys) {
                if (isOf.test(key)) {
                    named.add(key);
                    isNews = true;
                }
            }
        }
        if (isNews) {
            changes.release();
        }
    }

    /// Waits until a watched key has changed or the wait is over.
    ///
    /// @return false when the whole wait went by
    public boolean await(Duration wait) {
        try {
            boolean ended = changes.tryAcquire(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
            if (ended) {
                changes.drainPermits();
            }
            return ended;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// As `await`. While nothing is watched it waits a second at most, so that the reader looks
    /// itself.
    public void awaitOrPoll(Duration wait) {
        await(isWatched || wait.compareTo(POLL) < 0 ? wait : POLL);
    }

    /// Ends an `await` from any thread.
    public void wake() {
        changes.release();
    }

    /// Ends an `await` too.
    @Override
    public void close() {
        reports.end(this);
        connection.close();
        changes.release();
    }
}
