package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.tables.RedactionTable;
import dev.mawashi.wire.RedactionRule;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps this server's rules on what is hidden of jobs in Redis, where all that show jobs find
/// them, be it in another process or on another machine. The thread that starts the server writes
/// them, after that the beat's; the one that answers questions puts others in their place.
final class SharedRules {
    private static final System.Logger LOG = System.getLogger(SharedRules.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final RedisBroker broker;

    /// Held while rules are written. The beat does not wait for it: a signal may come with it.
    private final ReentrantLock writing = new ReentrantLock();

    private volatile List<RedactionRule> rules;
    private long writtenAt;
    private boolean isTold;

    SharedRules(ServerSettings settings) {
        broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        rules = settings.runners().redact();
    }

    List<RedactionRule> rules() {
        return rules;
    }

    /// Writes them, and removes those that no server has written for long.
    void write() {
        writtenAt = System.nanoTime();
        try {
            store(rules);
            isTold = false;
        } catch (RedisFailure failure) {
            if (!isTold && !rules.isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "the rules of redact in config/mawashi.yml are not in Redis, so that pages"
                                + " and commands may show what they hide: "
                                + failure.reason());
            }
            isTold = true;
        }
    }

    private void store(List<RedactionRule> some) {
        try (RedisConnection connection = broker.connect("redact")) {
            new RedactionTable(connection).write(some);
        }
    }

    /// Puts others in their place. What the ones before hide alone, stays hidden for as long as a
    /// stopped server's.
    ///
    /// @throws RedisFailure when Redis does not take them; those before count then
    void replace(List<RedactionRule> others) {
        writing.lock();
        try {
            store(others);
            rules = List.copyOf(others);
        } finally {
            writing.unlock();
        }
    }

    /// Writes them again where it is time to: somebody may have deleted them, or Redis may have
    /// gone back in time.
    void onBeat() {
        boolean isDue = !rules.isEmpty() && System.nanoTime() - writtenAt > PAUSE.toNanos();
        if (isDue && writing.tryLock()) {
            try {
                write();
            } finally {
                writing.unlock();
            }
        }
    }
}
