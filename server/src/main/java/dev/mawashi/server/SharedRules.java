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

/// Keeps this server's rules on what is hidden of jobs in Redis, where all that show jobs find
/// them, be it in another process or on another machine. Used by the thread that starts the server,
/// and after that by the beat's alone.
final class SharedRules {
    private static final System.Logger LOG = System.getLogger(SharedRules.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final RedisBroker broker;
    private final List<RedactionRule> rules;

    private long writtenAt;
    private boolean isTold;

    SharedRules(ServerSettings settings) {
        broker = new RedisBroker(settings.redis(), DeadLimits.DEFAULT);
        rules = settings.runners().redact();
    }

    /// Writes them, and removes those that no server has written for long.
    void write() {
        writtenAt = System.nanoTime();
        try (RedisConnection connection = broker.connect("redact")) {
            new RedactionTable(connection).write(rules);
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

    /// Writes them again where it is time to: somebody may have deleted them, or Redis may have
    /// gone back in time.
    void onBeat() {
        if (!rules.isEmpty() && System.nanoTime() - writtenAt > PAUSE.toNanos()) {
            write();
        }
    }
}
