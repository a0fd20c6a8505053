package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/// Knows the master behind Sentinels or in a Cluster, for all connections of this process. It asks
/// a guide, which is a Sentinel or a node, for each connection that is opened, and after each
/// `pause` of the guides.
///
/// Connections to a former master are cut: it may go on as one for ten seconds, and loses what it
/// is sent meanwhile.
final class Masters {
    /// One that does not answer holds nobody up for long.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// In one go; the others come next.
    private static final int ASKED_MAX = 5;

    private static final Map<RedisAddress, Masters> ALL = new ConcurrentHashMap<>();

    private final RedisAddress address;
    private final Guides guides;
    private final Connector connector;
    private final Map<Connector, Place> open = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /// Of the guides. The one that has answered last comes first.
    private final List<Place> places;

    /// To the first of them.
    private @Nullable BoundedConnection connection;

    private final AtomicBoolean isWatched = new AtomicBoolean();
    private volatile Answer last = new Answer(System.nanoTime(), null, null);

    /// @param at when it came
    /// @param master the last one known
    /// @param failure why nobody knows it now
    private record Answer(long at, @Nullable Place master, @Nullable RedisFailure failure) {}

    private Masters(RedisAddress address) {
        this.address = address;
        guides = address.isCluster() ? new ClusterNodes(address) : new Sentinels(address);
        connector = new Connector(address, "mawashi-master", PATIENCE, () -> {});
        places = new ArrayList<>(address.places());
    }

    /// Those of an address, the same for all who ask.
    static Masters of(RedisAddress address) {
        return ALL.computeIfAbsent(address, Masters::new);
    }

    /// Where the master is, in the eyes of the first guide that knows it. Those who ask while
    /// somebody else does get the same answer.
    ///
    /// @throws RedisFailure when none knows it
    Place master() {
        long asked = System.nanoTime();
        lock.lock();
        try {
            if (last.at() - asked <= 0) {
                last = answer(last.master());
            }
            if (last.failure() != null) {
                throw last.failure();
            }
            return Objects.requireNonNull(last.master());
        } finally {
            lock.unlock();
        }
    }

    private Answer answer(@Nullable Place former) {
        try {
            Place found = find();
            if (!found.equals(former)) {
                open.forEach((one, place) -> {
                    if (place.equals(former)) {
                        one.abort();
                    }
                });
            }
            return new Answer(System.nanoTime(), found, null);
        } catch (RedisFailure failure) {
            return new Answer(System.nanoTime(), former, failure);
        }
    }

    private Place find() {
        List<String> problems = new ArrayList<>();
        RedisFailure cause = null;
        for (Place place : List.copyOf(places.subList(0, Math.min(places.size(), ASKED_MAX)))) {
            try {
                return ask(place);
            } catch (RedisFailure failure) {
                hangUp();
                places.remove(place);
                places.add(place);
                problems.add(failure.reason());
                cause = failure;
            }
        }
        throw failed(guides.nobodyKnows() + ": " + String.join("; ", problems), cause);
    }

    private Place ask(Place guide) {
        try {
            if (connection == null) {
                connection = connector.connectToGuide(guide);
            }
            Guides.Answer answer = guides.ask(connection, guide);
            places.clear();
            Stream.of(List.of(guide), address.places(), answer.others())
                    .flatMap(List::stream)
                    .distinct()
                    .forEach(places::add);
            return answer.master();
        } catch (JedisDataException e) {
            throw failed(guide + ": " + guides.explain(String.valueOf(e.getMessage())), e);
        } catch (RedisFailure failure) {
            throw failure.code().equals("NOAUTH")
                    ? failed(guide + " " + guides.loginRemedy(), failure)
                    : failure;
        } catch (RuntimeException e) {
            throw failed(guide + ": " + Connector.rootMessage(e), e);
        }
    }

    private void hangUp() {
        if (connection != null) {
            close(connection);
            connection = null;
        }
    }

    private static void close(BoundedConnection connection) {
        try {
            connection.close();
        } catch (JedisException _) {
            // It is of no use either way.
        }
    }

    /// Takes in a fresh connection, which is cut once there is another master. Whoever has made it
    /// asks `isCurrent` once it can be cut.
    ///
    /// @param fresh closed when this throws
    /// @throws RedisFailure when what answers there is no master
    void opened(Connector by, BoundedConnection fresh, Place place) {
        try {
            requireMaster(fresh, place);
        } catch (RedisFailure failure) {
            close(fresh);
            throw failure;
        }
        open.put(by, place);
        if (isWatched.compareAndSet(false, true)) {
            Thread.ofVirtual().name("mawashi-master-1").start(this::watch);
        }
    }

    /// Whether the connection that was taken in last leads to the master.
    boolean isCurrent(Connector by) {
        return Objects.equals(open.get(by), last.master());
    }

    /// Its connection is gone.
    void closed(Connector by) {
        open.remove(by);
    }

    /// A guide that was away may name one of the past. A user that may not look takes it as it is.
    private void requireMaster(BoundedConnection fresh, Place place) {
        try {
            fresh.sendCommand(Protocol.Command.INFO, "replication");
            String replication = fresh.getBulkReply();
            if (replication == null || !replication.contains("role:master")) {
                throw failed(place + ", " + titled() + ", is no master", null);
            }
        } catch (JedisDataException _) {
            // It may not look.
        } catch (JedisException e) {
            throw failed(
                    "cannot reach %s, %s: %s".formatted(place, titled(), Connector.rootMessage(e)),
                    e);
        }
    }

    /// The master in a sentence.
    String titled() {
        return guides.titled();
    }

    private void watch() {
        while (goesOn()) {
            LockSupport.parkNanos(guides.pause().toNanos());
            try {
                Place _ = master();
            } catch (RedisFailure _) {
                // Who opens a connection hears of it.
            }
        }
    }

    private boolean goesOn() {
        if (!open.isEmpty()) {
            return true;
        }
        isWatched.set(false);
        if (!open.isEmpty() && isWatched.compareAndSet(false, true)) {
            return true;
        }
        lock.lock();
        try {
            hangUp();
        } finally {
            lock.unlock();
        }
        return false;
    }

    /// No connection comes about, so that nothing was sent.
    static RedisFailure failed(String message, @Nullable Exception cause) {
        return RedisFailure.notSent(
                message, cause == null ? new IllegalStateException(message) : cause);
    }
}
