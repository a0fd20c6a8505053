package dev.mawashi.redis;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Tells when keys that were read have changed, by Redis's own client tracking: no polling, and no
/// command per second while nothing happens.
///
/// A listener thread holds a connection subscribed to `__redis__:invalidate`; the reader's
/// connection is tracked with that one as its redirect. Either connection may be lost at any time:
/// the listener then reports a change, so that the reader reads again and is tracked anew. A change
/// may be reported that was none, never the other way round.
public final class KeyWatch implements AutoCloseable {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long NOT_LISTENING = -1;

    private final String name;
    private final RedisConnection listener;
    private final Semaphore changes = new Semaphore(0);
    private volatile long listenerId = NOT_LISTENING;
    private volatile boolean isClosed;
    private @Nullable Thread thread;
    private long trackedId = NOT_LISTENING;
    private int trackedGeneration = -1;
    private boolean isTracked;

    /// @param name what its thread is told by
    /// @param listener a connection that nobody else uses; closed with this
    public KeyWatch(String name, RedisConnection listener) {
        this.name = name;
        this.listener = listener;
    }

    /// Makes sure that keys which `reader` reads from now on are watched. Called by the reader's
    /// thread before each read.
    ///
    /// @return false when nothing is watched at the moment, so that the caller has to poll
    public boolean track(RedisConnection reader) {
        if (thread == null) {
            thread = Thread.ofVirtual().name("mawashi-watch-" + name + "-1").start(this::listen);
        }
        long id = listenerId;
        if (id == NOT_LISTENING) {
            return false;
        }
        if (id != trackedId || reader.generation() != trackedGeneration) {
            isTracked = turnOn(reader, id);
            trackedId = id;
            trackedGeneration = reader.generation();
        }
        return isTracked;
    }

    /// False when the server refuses: it may not be allowed to this user, or the listener has just
    /// been lost. Asked again with the next connection of either.
    private static boolean turnOn(RedisConnection reader, long id) {
        try {
            reader.call("CLIENT", "TRACKING", "OFF");
            reader.call("CLIENT", "TRACKING", "ON", "REDIRECT", Long.toString(id));
            return true;
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.REFUSED) {
                return false;
            }
            throw failure;
        }
    }

    /// Waits until a watched key has changed or the wait is over.
    public void await(Duration wait) {
        try {
            if (changes.tryAcquire(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS)) {
                changes.drainPermits();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends an `await` from any thread.
    public void wake() {
        changes.release();
    }

    private void listen() {
        while (!isClosed) {
            try {
                Object id = listener.call("CLIENT", "ID");
                listener.call("SUBSCRIBE", "__redis__:invalidate");
                listenerId = id instanceof Long number ? number : NOT_LISTENING;
                changes.release();
                while (!isClosed) {
                    listener.receive(SILENCE_MAX);
                    changes.release();
                }
            } catch (RedisFailure failure) {
                listenerId = NOT_LISTENING;
                listener.close();
                changes.release();
                if (failure.kind() != RedisFailure.Kind.UNKNOWN) {
                    LockSupport.parkNanos(RECONNECT_NANOS);
                }
            }
        }
    }

    @Override
    public void close() {
        isClosed = true;
        listener.abort();
        changes.release();
    }
}
