package dev.mawashi.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/// One connection, used by one thread at a time; only `abort` and `retire` may come from another.
///
/// It connects when first used and again after a failure. Every failure is a `RedisFailure`; after
/// one of kind `UNKNOWN` the connection is dropped, so that no late reply is ever read as the
/// answer to another command. Replies are Redis's own: `byte[]`, `Long`, `List` or null.
///
/// Those made by `beside` share a socket, each with a thread of its own. Whoever shares one sends
/// nothing that Redis is slow to answer.
public final class RedisConnection implements AutoCloseable {
    private static final Set<String> ELSEWHERE =
            Set.of("MASTERDOWN", "MOVED", "READONLY", "UNBLOCKED");

    private static final Duration AGAIN = Duration.ofMillis(20);

    private final Line line;
    private final Duration timeout;
    final Namespace namespace;
    private final boolean isCluster;
    private final List<Sent> queued = new ArrayList<>();
    private volatile boolean isUser;

    /// @param name what `CLIENT LIST` shows, such as `mawashi-settle`; no spaces
    /// @param timeout longest wait for a connect or for one reply
    public RedisConnection(RedisAddress address, String name, Duration timeout) {
        this(
                new Line(address, name, timeout),
                timeout,
                new Namespace(address.keyPrefix()),
                address.isCluster());
    }

    private RedisConnection(Line line, Duration timeout, Namespace namespace, boolean isCluster) {
        this.line = line;
        this.timeout = timeout;
        this.namespace = namespace;
        this.isCluster = isCluster;
    }

    /// Another on the same socket, for another thread. The socket is closed with the last of them.
    public RedisConnection beside() {
        return new RedisConnection(line, timeout, namespace, isCluster);
    }

    /// Whether it leads to a node of a Cluster, as such.
    public boolean isOfCluster() {
        return isCluster;
    }

    private Line line() {
        if (!isUser) {
            isUser = true;
            line.join();
        }
        return line;
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
        line().send(namespace.in(form(script).evalsha(keys, args)));
    }

    /// The reply to the oldest `send` that has none yet. A script that Redis does not know is not
    /// sent again.
    ///
    /// @throws RedisFailure when it did not succeed; see `owed` for the others under way
    public @Nullable Object awaitReply() {
        return only(Collections.singletonList(refusalOrReply(line().awaitReply(), null)));
    }

    /// How many replies to `send` are still to come; 0 after the connection was dropped.
    public int owed() {
        return line.owed();
    }

    /// Connects if need be, so that the next call takes no longer for that.
    public void connect() {
        line().alone(line::open);
    }

    /// Measures a round trip, without the time to connect.
    public Duration roundTrip() {
        return line().alone(() -> {
            line.open();
            long sent = System.nanoTime();
            call("PING");
            return Duration.ofNanos(System.nanoTime() - sent);
        });
    }

    /// Sends a command that Redis may answer only after `wait`, and waits that long for it on top
    /// of the usual time limit.
    public @Nullable Object callBlocking(Duration wait, byte[]... command) {
        // Not again on another connection, which would wait less for the reply.
        Sent sent = new Sent(namespace.in(command), null);
        return line().waitingFor(wait, () -> only(exchangeOnce(List.of(sent))));
    }

    /// Waits for a message that Redis sends of its own accord, on a connection that subscribed.
    ///
    /// @throws RedisFailure of kind `UNKNOWN` when none came within `wait`; the connection is gone
    public @Nullable Object receive(Duration wait) {
        return line().receive(wait);
    }

    /// Grows whenever a socket is opened or given up; server-side state such as tracking is lost
    /// with the old one.
    public int generation() {
        return line.generation();
    }

    /// When the first of the certificates lapses that Redis showed when this connected last; empty
    /// without TLS, and before Redis has answered.
    public Optional<Instant> certificateEnd() {
        return line.certificateEnd();
    }

    /// Puts a command into the next `flush`.
    public void queue(byte[]... command) {
        queued.add(new Sent(namespace.in(command), null));
    }

    /// Puts a script call into the next `flush`.
    public void queueEval(Script script, List<byte[]> keys, List<byte[]> args) {
        Script sent = form(script);
        queued.add(new Sent(namespace.in(sent.evalsha(keys, args)), sent));
    }

    private Script form(Script script) {
        return isCluster ? script.whole() : script;
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

    /// While its slot moves a Cluster refuses what it is sent, which is sent again then, as long as
    /// a reply may take.
    private List<@Nullable Object> exchange(List<Sent> batch) {
        List<@Nullable Object> replies = exchangeOnce(batch);
        long began = System.nanoTime();
        while (areAllElsewhere(replies)
                && System.nanoTime() - began < timeout.toNanos()
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(AGAIN.toNanos());
            replies = exchangeOnce(batch);
        }
        return replies;
    }

    private boolean areAllElsewhere(List<@Nullable Object> replies) {
        return isCluster
                && !replies.isEmpty()
                && replies.stream()
                        .allMatch(reply ->
                                reply instanceof RedisFailure failure
                                        && failure.kind() == RedisFailure.Kind.NOT_SENT);
    }

    private List<@Nullable Object> exchangeOnce(List<Sent> batch) {
        List<@Nullable Object> replies = line().exchange(batch);
        for (int i = 0; i < batch.size(); i++) {
            replies.set(i, refusalOrReply(replies.get(i), batch.get(i)));
        }
        return replies;
    }

    /// After the refusal of a server that was demoted, or that has the keys no longer, the
    /// connection is closed: a new one finds the right one.
    private @Nullable Object refusalOrReply(@Nullable Object reply, @Nullable Sent sent) {
        if (!(reply instanceof JedisDataException refusal)) {
            return sent == null ? reply : namespace.out(sent.command(), reply);
        }
        RedisFailure failure =
                RedisFailure.refused(String.valueOf(refusal.getMessage()), refusal, sent);
        if (ELSEWHERE.contains(failure.code())) {
            line.renew();
        }
        return isCluster && failure.isOfCluster() ? failure.asNotSent() : failure;
    }

    private @Nullable Object only(List<@Nullable Object> replies) {
        Object reply = replies.getFirst();
        if (reply instanceof RedisFailure failure) {
            throw failure;
        }
        return reply;
    }

    BoundedConnection open() {
        return line().alone(line::open);
    }

    /// Ends a call that another thread waits in; that call fails as `UNKNOWN`. The next use
    /// connects again.
    public void abort() {
        line.abort();
    }

    /// Ends a call that another thread waits in, and any that it makes later: they fail. A
    /// connection that is just being opened is closed by one of the two threads.
    public void retire() {
        line.retire();
    }

    /// Gives the socket up, also for those who share it: the next use connects again.
    public void renew() {
        line.renew();
    }

    /// Closes the socket, unless others share it; commands queued and not flushed are dropped.
    /// Idempotent.
    @Override
    public void close() {
        queued.clear();
        if (isUser) {
            isUser = false;
            line.leave();
        }
    }
}
