package dev.mawashi.server;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.ruby.AppRedis;
import java.lang.System.Logger.Level;

/// A key in the server's Redis that the app's own connection deletes once the app is loaded, which
/// shows that both have the same Redis, see `mawashi/app_redis.rb`.
///
/// Where that cannot be found out, nothing is logged: a Redis that is full or refuses the commands,
/// a load that takes longer than the key lives, an election in between.
final class MeetingPlace implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MeetingPlace.class.getName());
    private static final String SECONDS = "600";

    private final ServerSettings settings;
    private final RedisConnection redis;
    private final String key;

    /// @param identity of this process in Redis
    MeetingPlace(ServerSettings settings, RedisBroker broker, String identity) {
        this.settings = settings;
        redis = broker.connect("start");
        key = AppRedis.key(identity);
        try {
            redis.call("SET", key, "1", "EX", SECONDS);
        } catch (RedisFailure failure) {
            LOG.log(Level.DEBUG, "the app's Redis is not looked at: " + failure.reason());
        }
    }

    /// Warns where the app enqueues into another Redis, or where its own cannot be asked.
    void look(AppRedis app) {
        boolean isThere = take();
        if (!app.problem().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "the Redis of the app's own Sidekiq cannot be asked whether it is this server's: "
                            + (app.problem().contains(app.place()) ? "" : app.place() + ": ")
                            + app.problem());
        } else if (isThere && app.isKnown()) {
            LOG.log(
                    Level.WARNING,
                    "the app's own Sidekiq has another Redis than this server: "
                            + app.place()
                            + ", the server "
                            + settings.redis()
                            + " (from "
                            + settings.redisSource()
                            + "). Jobs that are enqueued there do not run here: start with --redis"
                            + " and the app's URL, or put it into REDIS_URL");
        }
    }

    private boolean take() {
        try {
            return Long.valueOf(1).equals(redis.call("DEL", key));
        } catch (RedisFailure failure) {
            LOG.log(Level.DEBUG, "the app's Redis is not looked at: " + failure.reason());
            return false;
        }
    }

    /// Leaves nothing in Redis.
    @Override
    public void close() {
        boolean _ = take();
        redis.close();
    }
}
