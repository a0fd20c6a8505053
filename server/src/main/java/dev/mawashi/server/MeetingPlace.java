package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.ruby.AppRedis;
import java.lang.System.Logger.Level;

/// A key in a Redis that the app's own connection deletes once the app is loaded, which shows that
/// it leads there, see `mawashi/app_redis.rb`.
///
/// A Redis that is away, full or refuses the commands, a load that takes longer than the key lives
/// and an election in between leave no key, as the app does.
public final class MeetingPlace implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MeetingPlace.class.getName());
    private static final String SECONDS = "600";

    private final RedisConnection redis;
    private final String key;

    /// @param identity of the process that loads the app
    public MeetingPlace(RedisAddress address, String identity) {
        redis = new RedisBroker(address, DeadLimits.DEFAULT).connect("start");
        key = AppRedis.key(identity);
        try {
            redis.call("SET", key, "1", "EX", SECONDS);
        } catch (RedisFailure failure) {
            LOG.log(Level.DEBUG, "the app's Redis is not looked at: " + failure.reason());
        }
    }

    /// Whether the app's connection leads elsewhere. The key is gone then too.
    public boolean isUntouched() {
        try {
            return Long.valueOf(1).equals(redis.call("DEL", key));
        } catch (RedisFailure failure) {
            LOG.log(Level.DEBUG, "the app's Redis is not looked at: " + failure.reason());
            return false;
        }
    }

    /// Warns where the app enqueues into another Redis than the server's, or where its own cannot
    /// be asked.
    ///
    /// @throws StartFailure when the app has another namespace: it enqueues under other keys
    void look(AppRedis app, ServerSettings settings) {
        requireNamespace(app.namespace(), settings.redis().namespace());
        boolean isOther = isUntouched() && app.isKnown();
        if (!app.problem().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "the Redis of the app's own Sidekiq cannot be asked whether it is this server's: "
                            + app.describe());
        } else if (isOther) {
            LOG.log(
                    Level.WARNING,
                    "the app's own Sidekiq has another Redis than this server: "
                            + app.describe()
                            + ", the server "
                            + settings.redis()
                            + " (from "
                            + settings.redisSource()
                            + "). Jobs that are enqueued there do not run here: start with --redis"
                            + " and the app's URL, or put it into REDIS_URL");
        }
    }

    private static void requireNamespace(String app, String server) {
        if (!app.equals(server)) {
            throw new StartFailure(namespaces(app, server));
        }
    }

    /// What is wrong where an app and its server have these namespaces, which differ, and the
    /// remedy.
    public static String namespaces(String app, String server) {
        if (app.isEmpty()) {
            return "the app's own Sidekiq has no namespace, and this server has "
                    + server
                    + ": start without --namespace and MAWASHI_NAMESPACE, or give config.redis the"
                    + " namespace, which goes with Sidekiq 6 and older and redis-namespace";
        }
        String present = server.isEmpty() ? "none" : server;
        return "the app's own Sidekiq has the namespace %s, and this server %s: start with --namespace %s"
                .formatted(app, present, app);
    }

    /// Leaves nothing in Redis.
    @Override
    public void close() {
        boolean _ = isUntouched();
        redis.close();
    }
}
