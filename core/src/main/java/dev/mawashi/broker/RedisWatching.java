package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.KeyWatch;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.util.List;

/// Watching by Redis's client tracking. One command reads all the queues; from then on Redis tells
/// of each queue's next change, once, so that a queue that is busy meanwhile costs no more.
final class RedisWatching implements Watching {
    private static final byte[] EXISTS = ascii("EXISTS");

    /// How often to look while Redis cannot tell of changes.
    private static final Duration POLL = Duration.ofMillis(50);

    private final RedisConnection connection;
    private final KeyWatch watch;
    private final QueueLayout layout;

    RedisWatching(RedisConnection connection, RedisConnection listener, QueueLayout layout) {
        this.connection = connection;
        this.watch = new KeyWatch("rest", listener);
        this.layout = layout;
    }

    @Override
    public boolean awaitJob(List<String> queues, Duration wait) {
        boolean isTold = watch.track(connection);
        if (hasJob(queues)) {
            return true;
        }
        watch.await(isTold ? wait : POLL);
        return false;
    }

    /// A list that is empty is no key.
    private boolean hasJob(List<String> queues) {
        if (queues.isEmpty()) {
            return false;
        }
        byte[][] command = new byte[1 + queues.size()][];
        command[0] = EXISTS;
        for (int i = 0; i < queues.size(); i++) {
            command[1 + i] = Keys.bytes(layout.queue(queues.get(i)));
        }
        return connection.call(command) instanceof Long found && found > 0;
    }

    @Override
    public void wake() {
        watch.wake();
    }

    @Override
    public void close() {
        watch.close();
        connection.close();
    }
}
