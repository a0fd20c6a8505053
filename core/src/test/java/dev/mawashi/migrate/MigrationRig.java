package dev.mawashi.migrate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Two Redises, empty before each test, and migrations from one to the other.
final class MigrationRig implements BeforeEachCallback, AfterAllCallback, AutoCloseable {
    static final Migration.Progress UNHEARD =
            new Migration.Progress() {
                @Override
                public void moved(String place, long jobs) {}

                @Override
                public void waits(Left left) {}
            };

    final QueueLayout layout;
    final RedisServerForTests oldServer = new RedisServerForTests();
    final RedisServerForTests newServer = new RedisServerForTests();
    final RedisConnection source = oldServer.connect();
    final RedisConnection target = newServer.connect();

    /// For Sidekiq's jobs.
    MigrationRig() {
        this(QueueLayout.SIDEKIQ);
    }

    /// @param layout of the queues that go
    MigrationRig(QueueLayout layout) {
        this.layout = layout;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        source.call("FLUSHALL");
        target.call("FLUSHALL");
    }

    Ends ends() {
        return ends(oldServer.address(), newServer.address());
    }

    /// Names do not change with a proxy before a server.
    Ends ends(RedisAddress from, RedisAddress to) {
        return new Ends(
                new RedisBroker(from, DeadLimits.DEFAULT, layout),
                new RedisBroker(to, DeadLimits.DEFAULT),
                new Ends.Names("the old", "the new"),
                layout,
                layout);
    }

    Migrated once() {
        return once(ends(), Duration.ZERO);
    }

    Migrated once(Ends ends, Duration patience) {
        try (Migration migration = migration(ends, patience)) {
            return migration.run(true);
        }
    }

    Migration migration(Ends ends, Duration patience) {
        return migration(ends, UNHEARD, () -> false, patience);
    }

    Migration migration(Migration.Progress progress, BooleanSupplier isStopped) {
        return migration(ends(), progress, isStopped, Duration.ZERO);
    }

    private static Migration migration(
            Ends ends, Migration.Progress progress, BooleanSupplier isStopped, Duration patience) {
        return new Migration(ends, "test", InstantSource.system(), progress, isStopped, patience);
    }

    static String job(String jid) {
        return "{\"class\":\"A\",\"args\":[],\"jid\":\"" + jid + "\",\"queue\":\"q\"}";
    }

    /// Enqueues as Sidekiq's client does.
    static void push(RedisConnection redis, String queue, String... jobs) {
        redis.call("SADD", "queues", queue);
        for (String job : jobs) {
            redis.call(bytes("LPUSH"), bytes("queue:" + queue), bytes(job));
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /// Elements of a list, the next job first, as texts of one letter per byte.
    static List<String> jobs(RedisConnection redis, String list) {
        return texts(redis, "LRANGE", list, "0", "-1").reversed();
    }

    static List<String> texts(RedisConnection redis, String... command) {
        List<String> texts = new ArrayList<>();
        for (Object one : (List<?>) Objects.requireNonNull(redis.call(command))) {
            texts.add(new String((byte[]) one, ISO_8859_1));
        }
        return texts;
    }

    static String text(RedisConnection redis, String... command) {
        return redis.call(command) instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    }

    static long number(RedisConnection redis, String... command) {
        return (Long) Objects.requireNonNull(redis.call(command));
    }

    /// Keys of a Redis but for those that lapse.
    static List<String> keys(RedisConnection redis) {
        return texts(redis, "KEYS", "*").stream()
                .filter(key -> !key.matches("mw:added:.*|.*:spliced|mw:migrating"))
                .sorted()
                .toList();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        close();
    }

    @Override
    public void close() {
        source.close();
        target.close();
        oldServer.close();
        newServer.close();
    }
}
