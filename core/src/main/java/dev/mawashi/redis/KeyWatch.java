package dev.mawashi.redis;

import dev.mawashi.lifecycle.Loop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reports when keys that were read have changed, by Redis's own client tracking: no polling, and
/// no command per second while nothing happens.
///
/// A `Loop`, the listener, holds a connection subscribed to `__redis__:invalidate`; the reader's
/// connection is tracked with that one as its redirect. Either connection may be lost at any time:
/// the listener then reports a change, so that the reader reads again and is tracked anew. It may
/// report a change that was none, and misses none that was.
///
/// A watch made by `ofNames` keeps the names of changed keys until `takeChanges`; the listener's
/// thread adds to them under the lock of `named`.
public final class KeyWatch implements AutoCloseable {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final Duration RECONNECT = Duration.ofMillis(250);
    private static final long NOT_LISTENING = -1;

    /// How often to look when Redis cannot report changes.
    private static final Duration POLL = Duration.ofSeconds(1);

    private final RedisConnection listener;
    private final Loop loop;
    private final Semaphore changes = new Semaphore(0);
    private volatile long listenerId = NOT_LISTENING;
    private boolean isStarted;
    private long trackedId = NOT_LISTENING;
    private int trackedGeneration = -1;
    private boolean isTracked;
    private boolean isWatched;
    private final boolean keepsNames;
    private final Set<String> named = new HashSet<>();
    private boolean areUnknown;

    /// The keys that have changed.
    ///
    /// @param keys those that Redis has reported
    /// @param areUnknown any other may have changed too: for a while nothing was reported
    public record Changes(Set<String> keys, boolean areUnknown) {
        public Changes {
            keys = Set.copyOf(keys);
        }
    }

    /// @param name a part of its thread's name
    /// @param listener a connection that nobody else uses; closed with this
    public KeyWatch(String name, RedisConnection listener) {
        this(name, listener, false);
    }

    private KeyWatch(String name, RedisConnection listener, boolean keepsNames) {
        this.listener = listener;
        this.keepsNames = keepsNames;
        loop =
                Loop.virtual("watch-" + name, this::listen)
                        .wakingSteps(listener::retire)
                        .farewell(listener::close);
    }

    /// Makes a watch that keeps the names of changed keys; call `takeChanges` after each wait.
    public static KeyWatch ofNames(String name, RedisConnection listener) {
        return new KeyWatch(name, listener, true);
    }

    /// Makes sure that keys which `reader` reads from now on are watched. Called by the reader's
    /// thread before each read.
    ///
    /// @return false when nothing is watched at the moment, so that the caller has to poll
    public boolean track(RedisConnection reader) {
        isWatched = isTracking(reader);
        return isWatched;
    }

    private boolean isTracking(RedisConnection reader) {
        if (!isStarted) {
            isStarted = true;
            loop.start();
        }
        long id = listenerId;
        if (id == NOT_LISTENING) {
            return false;
        }
        if (id != trackedId || reader.generation() != trackedGeneration) {
            isTracked = turnOn(reader, id);
            trackedId = id;
            trackedGeneration = reader.generation();
            anyMayHaveChanged();
        }
        return isTracked;
    }

    /// Called after reads: if the reader had to connect anew for them, what it read is not watched.
    public void noteReads(RedisConnection reader) {
        if (reader.generation() != trackedGeneration) {
            anyMayHaveChanged();
        }
    }

    /// What has changed since the last call.
    public Changes takeChanges() {
        synchronized (named) {
            Changes changes = new Changes(named, areUnknown);
            named.clear();
            areUnknown = false;
            return changes;
        }
    }

    private void anyMayHaveChanged() {
        synchronized (named) {
            areUnknown = true;
        }
    }

    /// @param message `message`, the channel, and keys; without keys when all of them are gone
    private void note(@Nullable Object message) {
        if (!keepsNames) {
            return;
        }
        if (message instanceof List<?> parts
                && parts.size() == 3
                && listener.namespace.out(parts.get(2)) instanceof List<?> keys) {
            synchronized (named) {
                for (Object key : keys) {
                    named.add(new String((byte[]) key, StandardCharsets.UTF_8));
                }
            }
        } else {
            anyMayHaveChanged();
        }
    }

    /// Turns tracking on. False when Redis refuses: this user may not do it, or the listener has
    /// just been lost. It is tried again with the next connection of either.
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

    /// As `await`, for the reader's thread. While nothing is watched it waits a second at most, so
    /// that the reader looks itself.
    public void awaitOrPoll(Duration wait) {
        await(isWatched || wait.compareTo(POLL) < 0 ? wait : POLL);
    }

    /// Ends an `await` from any thread.
    public void wake() {
        changes.release();
    }

    private Duration listen() {
        Duration pause = Duration.ZERO;
        try {
            if (listenerId == NOT_LISTENING) {
                subscribe();
            } else {
                note(listener.receive(SILENCE_MAX));
            }
        } catch (RedisFailure failure) {
            listenerId = NOT_LISTENING;
            listener.close();
            anyMayHaveChanged();
            pause = failure.kind() == RedisFailure.Kind.UNKNOWN ? Duration.ZERO : RECONNECT;
        }
        changes.release();
        return pause;
    }

    private void subscribe() {
        Object id = listener.call("CLIENT", "ID");
        listener.call("SUBSCRIBE", "__redis__:invalidate");
        listenerId = id instanceof Long number ? number : NOT_LISTENING;
        anyMayHaveChanged();
    }

    /// Ends an `await` too.
    @Override
    public void close() {
        loop.stop(Duration.ZERO);
        changes.release();
    }
}
