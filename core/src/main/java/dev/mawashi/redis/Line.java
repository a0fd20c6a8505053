package dev.mawashi.redis;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/// The socket of one `RedisConnection`, or of several, each with a thread of its own: one exchange
/// at a time has it, in the order in which they ask.
///
/// Replies to `send` and waits for messages are for a line with one user alone, which asks for no
/// lock. `abort` and `retire` may come from any thread.
final class Line {
    private final RedisAddress address;
    private final Duration timeout;
    private final Connector connector;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();
    private volatile @Nullable BoundedConnection connection;
    private volatile boolean isRetired;
    private int owed;

    /// @param name what `CLIENT LIST` shows
    /// @param timeout longest wait for a connect or for one reply
    Line(RedisAddress address, String name, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
        connector = new Connector(address, name, timeout, this::abort);
    }

    void join() {
        users.incrementAndGet();
    }

    /// Closes the socket when nobody else uses it.
    void leave() {
        if (users.decrementAndGet() == 0) {
            close();
        }
    }

    /// Has nobody else use the line meanwhile.
    <T extends @Nullable Object> T alone(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /// Sends all commands in one go and waits for all replies.
    ///
    /// @return a reply for each, in order; a refusal is the library's exception
    /// @throws RedisFailure of kind `NOT_SENT` or `UNKNOWN`, which then holds for all of them
    List<@Nullable Object> exchange(List<Sent> batch) {
        lock.lock();
        try {
            return sendAndAwait(batch);
        } finally {
            lock.unlock();
        }
    }

    private List<@Nullable Object> sendAndAwait(List<Sent> batch) {
        if (owed > 0) {
            throw new IllegalStateException(owed + " replies are still to come");
        }
        BoundedConnection open = open();
        try {
            for (Sent one : batch) {
                send(open, one.command());
            }
            // What `retire` has struck meanwhile was not sent.
            endIfOver();
            return new ArrayList<>(open.getMany(batch.size()));
        } catch (RedisFailure retired) {
            throw retired;
        } catch (RuntimeException e) {
            throw lost(e);
        }
    }

    /// Sends a command and returns at once; `awaitReply` returns its reply.
    ///
    /// @throws RedisFailure of kind `NOT_SENT` or `UNKNOWN`; the latter holds for all under way
    void send(byte[][] command) {
        BoundedConnection open = owed == 0 ? open() : openStill();
        try {
            send(open, command);
            endIfOver();
            // Flushes what was sent, and reads no reply.
            open.getMany(0);
            owed++;
        } catch (RedisFailure retired) {
            throw retired;
        } catch (RuntimeException e) {
            throw lost(e);
        }
    }

    /// The reply to the oldest `send` that has none yet.
    @Nullable Object awaitReply() {
        BoundedConnection open = openStill();
        try {
            Object reply = open.getMany(1).getFirst();
            owed--;
            return reply;
        } catch (RuntimeException e) {
            throw lost(e);
        }
    }

    int owed() {
        return owed;
    }

    private BoundedConnection openStill() {
        BoundedConnection current = connection;
        if (owed == 0 || current == null || current.isBroken()) {
            throw lost(new JedisConnectionException("no reply is to come"));
        }
        return current;
    }

    /// Drops the connection. The library falls over odd replies, and leaves them half read.
    private RedisFailure lost(RuntimeException cause) {
        close();
        return RedisFailure.unknown(
                "lost the connection to " + address + ": " + Connector.rootMessage(cause), cause);
    }

    private static void send(BoundedConnection open, byte[][] words) {
        byte[] verb = words[0];
        open.sendCommand(() -> verb, Arrays.copyOfRange(words, 1, words.length));
    }

    /// Waits for a message that Redis sends of its own accord.
    ///
    /// @throws RedisFailure of kind `UNKNOWN` when none came within `wait`; the connection is gone
    @Nullable Object receive(Duration wait) {
        BoundedConnection open = open();
        waitAtMost(open, wait);
        try {
            return open.getOne();
        } catch (RuntimeException e) {
            close();
            throw RedisFailure.unknown(
                    "no message from " + address + ": " + Connector.rootMessage(e), e);
        } finally {
            restoreTimeout();
        }
    }

    /// Waits so much longer for the replies to what the action sends.
    <T extends @Nullable Object> T waitingFor(Duration more, Supplier<T> action) {
        return alone(() -> {
            waitAtMost(open(), more.plus(timeout));
            try {
                return action.get();
            } finally {
                restoreTimeout();
            }
        });
    }

    private void waitAtMost(BoundedConnection open, Duration wait) {
        try {
            open.setSoTimeout((int) wait.toMillis());
        } catch (JedisException e) {
            // `abort` struck in this instant.
            close();
            throw RedisFailure.notSent("lost the connection to " + address, e);
        }
    }

    private void restoreTimeout() {
        BoundedConnection current = connection;
        if (current != null && !current.isBroken()) {
            try {
                current.setSoTimeout((int) timeout.toMillis());
            } catch (JedisException _) {
                // `abort` struck after the reply; the next use connects again.
                close();
            }
        }
    }

    /// Grows whenever a socket is opened or given up.
    int generation() {
        return generation.get();
    }

    Optional<Instant> certificateEnd() {
        return connector.certificateEnd();
    }

    BoundedConnection open() {
        BoundedConnection current = connection;
        // One that `abort` has closed is not broken to the library: it would connect it silently.
        if (current != null && !current.isBroken() && current.isConnected()) {
            return current;
        }
        BoundedConnection fresh = connector.connect();
        connection = fresh;
        generation.incrementAndGet();
        endIfOver();
        return fresh;
    }

    private void endIfOver() {
        if (isRetired || !connector.isCurrent()) {
            close();
            String reason = isRetired ? "no more calls to " : "another is the master of ";
            throw RedisFailure.notSent(reason + address, new SocketException("retired"));
        }
    }

    void abort() {
        BoundedConnection current = connection;
        if (current != null) {
            try {
                current.forceDisconnect();
            } catch (IOException _) {
                // The socket is gone either way, which is all that was wanted.
            }
        }
    }

    void retire() {
        isRetired = true;
        abort();
    }

    /// Gives the socket up: the next exchange opens another.
    void renew() {
        alone(() -> {
            close();
            return 0;
        });
    }

    private void close() {
        owed = 0;
        BoundedConnection current = connection;
        connection = null;
        if (current != null) {
            generation.incrementAndGet();
            connector.closed();
            try {
                current.close();
            } catch (JedisConnectionException _) {
                // Closing a broken socket may fail; nothing is lost by it.
            }
        }
    }
}
