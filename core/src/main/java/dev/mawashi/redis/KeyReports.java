package dev.mawashi.redis;

import dev.mawashi.lifecycle.Loop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Has Redis report changes of keys that were read, by its own client tracking: no polling, and no
/// command per second while nothing happens.
///
/// Any number of watches share two connections. One reads: each watch has its own `beside` of it.
/// It is tracked, with the other one as its redirect, which a `Loop`, the listener, holds
/// subscribed to `__redis__:invalidate`. The listener passes a report on to each watch that is of
/// the key. Either connection may be lost at any time: then a change is reported to all watches, so
/// that they read again, and the first of them has the reader tracked anew.
///
/// The state of the tracking is guarded by `lock`.
public final class KeyReports {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final Duration RECONNECT = Duration.ofMillis(250);
    private static final long NOT_LISTENING = -1;

    private final RedisConnection reader;
    private final Supplier<RedisConnection> connected;
    private final List<KeyWatch> watches = new CopyOnWriteArrayList<>();
    private volatile long listenerId = NOT_LISTENING;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Loop loop;
    private long trackedId = NOT_LISTENING;
    private volatile int trackedGeneration = -1;
    private boolean isTracked;

    /// @param reader used for nothing else
    /// @param connected makes a connection to listen on
    public KeyReports(RedisConnection reader, Supplier<RedisConnection> connected) {
        this.reader = reader;
        this.connected = connected;
    }

    /// A watch of some keys, for one thread.
    ///
    /// @param isOf which keys they are; asked for each that has changed
    public KeyWatch watch(Predicate<String> isOf) {
        KeyWatch watch = new KeyWatch(this, reader.beside(), isOf);
        watches.add(watch);
        return watch;
    }

    /// Makes sure that what is read from now on is watched.
    ///
    /// @param by whose connection is tracked if need be
    /// @return false when nothing is watched at the moment
    boolean track(KeyWatch by) {
        lock.lock();
        try {
            listen();
            long id = listenerId;
            if (id == NOT_LISTENING) {
                return false;
            }
            if (id != trackedId || isOfEarlier(by.connection())) {
                isTracked = turnOn(by.connection(), id);
                trackedId = id;
                trackedGeneration = by.connection().generation();
                watches.forEach(watch -> watch.anyMayHaveChanged(watch != by));
            }
            return isTracked;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the reader has connected anew since it was tracked.
    boolean isOfEarlier(RedisConnection present) {
        return present.generation() != trackedGeneration;
    }

    private void listen() {
        if (loop == null) {
            RedisConnection listener = connected.get();
            loop =
                    Loop.virtual("watch", () -> step(listener))
                            .wakingSteps(listener::retire)
                            .farewell(listener::close);
            loop.start();
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

    private Duration step(RedisConnection listener) {
        try {
            if (listenerId == NOT_LISTENING) {
                subscribe(listener);
            } else {
                pass(listener.namespace, listener.receive(SILENCE_MAX));
            }
            return Duration.ZERO;
        } catch (RedisFailure failure) {
            listenerId = NOT_LISTENING;
            listener.close();
            anyMayHaveChanged();
            return failure.kind() == RedisFailure.Kind.UNKNOWN ? Duration.ZERO : RECONNECT;
        }
    }

    private void subscribe(RedisConnection listener) {
        Object id = listener.call("CLIENT", "ID");
        listener.call("SUBSCRIBE", "__redis__:invalidate");
        listenerId = id instanceof Long number ? number : NOT_LISTENING;
        anyMayHaveChanged();
    }

    /// @param message `message`, the channel, and keys; without keys when all of them are gone
    private void pass(Namespace namespace, @Nullable Object message) {
        if (message instanceof List<?> parts
                && parts.size() == 3
                && namespace.out(parts.get(2)) instanceof List<?> keys) {
            Set<String> names =
                    keys.stream()
                            .map(key -> new String((byte[]) key, StandardCharsets.UTF_8))
                            .collect(Collectors.toSet());
            watches.forEach(watch -> watch.changed(names));
        } else {
            anyMayHaveChanged();
        }
    }

    private void anyMayHaveChanged() {
        watches.forEach(watch -> watch.anyMayHaveChanged(true));
    }

    /// The last watch ends the listener.
    void end(KeyWatch watch) {
        Loop over = null;
        lock.lock();
        try {
            if (watches.remove(watch) && watches.isEmpty()) {
                over = loop;
                loop = null;
                trackedId = NOT_LISTENING;
                listenerId = NOT_LISTENING;
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            over.stop(Duration.ZERO);
        }
    }
}
