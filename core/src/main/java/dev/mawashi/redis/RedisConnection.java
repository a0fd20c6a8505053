package dev.mawashi.redis;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/// One connection, used by one thread at a time; only `abort` and `retire` may come from another.
///
/// It connects when first used and again after a failure. Every failure is a `RedisFailure`; after
/// one of kind `UNKNOWN` the connection is dropped, so that no late reply is ever read as the
/// answer to another command. Replies are Redis's own: `byte[]`, `Long`, `List` or null.
public final class RedisConnection implements AutoCloseable {
    private static final Set<String> NO_MASTER = Set.of("READONLY", "MASTERDOWN", "UNBLOCKED");

    private final RedisAddress address;
    private final Duration timeout;
    private final Connector connector;
    final Namespace namespace;
    private final List<Sent> queued = new ArrayList<>();
    private volatile @Nullable BoundedConnection connection;
    private volatile boolean isRetired;
    private int generation;
    private int owed;

    /// @param name what `CLIENT LIST` shows, such as `mawashi-settle`; no spaces
    /// @param timeout longest wait for a connect or for one reply
    public RedisConnection(RedisAddress address, String name, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
        connector = new Connector(address, name, timeout, this::abort);
        namespace = new Namespace(address.namespace());
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Sends one command and waits for its reply.
    ///
    /// @throws RedisFailure when it did not succeed
    public @Nullable Object call(byte[]... command) {
        queue(command);
        return only(flush());
    }

    /// Sends one command whose words are text.
    public @Nullable Object call(String... command) {
        return call(RedisCalls.words(command));
    }

    /// Runs a script and waits for its reply.
    ///
    /// @throws RedisFailure when it did not succeed
    public @Nullable Object eval(Script script, List<byte[]> keys, List<byte[]> args) {
        queueEval(script, keys, args);
        return only(flush());
    }

    /// Sends a script call and returns at once; `awaitReply` returns its reply. Several may be
    /// under way, and nothing else is sent until all are answered.
    ///
    /// @throws RedisFailure of kind `NOT_SENT` or `UNKNOWN`; the latter holds for all under way
    public void send(Script script, List<byte[]> keys, List<byte[]> args) {
        BoundedConnection open = owed == 0 ? open() : openStill();
        try {
            send(open, namespace.in(script.evalsha(keys, args)));
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

    /// The reply to the oldest `send` that has none yet. A script that Redis does not know is not
    /// sent again.
    ///
    /// @throws RedisFailure when it did not succeed; see `owed` for the others under way
    public @Nullable Object awaitReply() {
        BoundedConnection open = openStill();
        try {
            Object reply = open.getMany(1).getFirst();
            owed--;
            return only(Collections.singletonList(refusalOrReply(reply, null)));
        } catch (RedisFailure refusal) {
            throw refusal;
        } catch (RuntimeException e) {
            throw lost(e);
        }
    }

    /// How many replies to `send` are still to come; 0 after the connection was dropped.
    public int owed() {
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

    /// Connects if need be, so that the next call takes no longer for that.
    public void connect() {
        open();
    }

    /// Sends a command that Redis may answer only after `wait`, and waits that long for it on top
    /// of the usual time limit.
    public @Nullable Object callBlocking(Duration wait, byte[]... command) {
        waitAtMost(open(), wait.plus(timeout));
        try {
            return call(command);
        } finally {
            restoreTimeout();
        }
    }

    /// Waits for a message that Redis sends of its own accord, on a connection that subscribed.
    ///
    /// @throws RedisFailure of kind `UNKNOWN` when none came within `wait`; the connection is gone
    public @Nullable Object receive(Duration wait) {
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

    private void waitAtMost(BoundedConnection open, Duration wait) {
        try {
            open.setSoTimeout((int) wait.toMillis());
        } catch (JedisException e) {
            // `abort` struck in this instant.
            close();
            throw RedisFailure.notSent("lost the connection to " + address, e);
        }
    }

    /// Grows whenever a socket is opened or given up; server-side state such as tracking is lost
    /// with the old one.
    public int generation() {
        return generation;
    }

    /// When the first of the certificates lapses that Redis showed when this connected last; empty
    /// without TLS, and before Redis has answered.
    public Optional<Instant> certificateEnd() {
        return connector.certificateEnd();
    }

    /// Puts a command into the next `flush`.
    public void queue(byte[]... command) {
        queued.add(new Sent(namespace.in(command), null));
    }

    /// Puts a script call into the next `flush`.
    public void queueEval(Script script, List<byte[]> keys, List<byte[]> args) {
        queued.add(new Sent(namespace.in(script.evalsha(keys, args)), script));
    }

    /// Sends all queued commands in one go and waits for all replies.
    ///
    /// @return a reply for each, in order; a refused command's reply is its `RedisFailure`
    /// @throws RedisFailure of kind `NOT_SENT` or `UNKNOWN`, which then holds for all of them
    public List<@Nullable Object> flush() {
        List<Sent> batch = List.copyOf(queued);
        queued.clear();
        List<@Nullable Object> replies = exchange(batch);
        for (int i = 0; i < replies.size(); i++) {
            Script script = batch.get(i).script();
            if (script != null && isRefusal(replies.get(i), "NOSCRIPT")) {
                replies.set(i, repeatWithText(script, batch.get(i)));
            }
        }
        return replies;
    }

    /// Sends the script's text, which runs it and makes Redis remember it in one step: loaded
    /// first, it could be forgotten again before it is called. A user that may not do the former is
    /// perhaps one that may do the latter.
    private @Nullable Object repeatWithText(Script script, Sent evalsha) {
        Object reply =
                exchange(List.of(new Sent(script.eval(evalsha.command()), script))).getFirst();
        if (!isRefusal(reply, "NOPERM")) {
            return reply;
        }
        List<@Nullable Object> two = exchange(List.of(new Sent(script.load(), null), evalsha));
        return two.getFirst() instanceof RedisFailure ? reply : two.getLast();
    }

    private static boolean isRefusal(@Nullable Object reply, String code) {
        return reply instanceof RedisFailure failure && failure.code().equals(code);
    }

    private List<@Nullable Object> exchange(List<Sent> batch) {
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
            List<@Nullable Object> replies = new ArrayList<>(open.getMany(batch.size()));
            for (int i = 0; i < batch.size(); i++) {
                replies.set(i, refusalOrReply(replies.get(i), batch.get(i)));
            }
            return replies;
        } catch (RedisFailure retired) {
            throw retired;
        } catch (RuntimeException e) {
            throw lost(e);
        }
    }

    private static void send(BoundedConnection open, byte[][] words) {
        byte[] verb = words[0];
        open.sendCommand(() -> verb, Arrays.copyOfRange(words, 1, words.length));
    }

    /// After the refusal of a server that was demoted the connection is closed: a new one finds the
    /// new master.
    private @Nullable Object refusalOrReply(@Nullable Object reply, @Nullable Sent sent) {
        if (!(reply instanceof JedisDataException refusal)) {
            return sent == null ? reply : namespace.out(sent.command(), reply);
        }
        RedisFailure failure =
                RedisFailure.refused(String.valueOf(refusal.getMessage()), refusal, sent);
        if (NO_MASTER.contains(failure.code())) {
            close();
        }
        return failure;
    }

    private @Nullable Object only(List<@Nullable Object> replies) {
        Object reply = replies.getFirst();
        if (reply instanceof RedisFailure failure) {
            throw failure;
        }
        return reply;
    }

    BoundedConnection open() {
        BoundedConnection current = connection;
        // One that `abort` has closed is not broken to the library: it would connect it silently.
        if (current != null && !current.isBroken() && current.isConnected()) {
            return current;
        }
        BoundedConnection fresh = connector.connect();
        connection = fresh;
        generation++;
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

    /// Ends a call that another thread waits in; that call fails as `UNKNOWN`. The next use
    /// connects again.
    public void abort() {
        BoundedConnection current = connection;
        if (current != null) {
            try {
                current.forceDisconnect();
            } catch (IOException _) {
                // The socket is gone either way, which is all that was wanted.
            }
        }
    }

    /// Ends a call that another thread waits in, and any that it makes later: they fail. A
    /// connection that is just being opened is closed by one of the two threads.
    public void retire() {
        isRetired = true;
        abort();
    }

    /// Closes the socket; commands queued and not flushed are dropped. Idempotent.
    @Override
    public void close() {
        queued.clear();
        owed = 0;
        BoundedConnection current = connection;
        connection = null;
        if (current != null) {
            generation++;
            connector.closed();
            try {
                current.close();
            } catch (JedisConnectionException _) {
                // Closing a broken socket may fail; nothing is lost by it.
            }
        }
    }
}
