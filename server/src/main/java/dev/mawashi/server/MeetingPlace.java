package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisTls;
import dev.mawashi.ruby.AppRedis;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

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
    private final boolean isMade;

    /// @param identity of the process that loads the app
    public MeetingPlace(RedisAddress address, String identity) {
        redis = new RedisBroker(address, DeadLimits.DEFAULT).connect("start");
        key = AppRedis.key(identity);
        isMade = make();
    }

    private boolean make() {
        try {
            redis.call("SET", key, "1", "EX", SECONDS);
            return true;
        } catch (RedisFailure failure) {
            LOG.log(Level.DEBUG, "the app's Redis is not looked at: " + failure.reason());
            return false;
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

    /// The settings of a server once the app is loaded. Where no flag names a Redis, and the app's
    /// own connection leads elsewhere, they are in that one; so they are where the app alone has
    /// the login or the files of TLS that the same place takes. Otherwise warns where the app
    /// enqueues into another Redis than the server's, or where its own cannot be asked.
    ///
    /// @throws StartFailure when the app has another namespace: it enqueues under other keys; or
    ///   when its Redis cannot be taken
    ServerSettings look(AppRedis app, ServerSettings settings) {
        if (settings.runners().first().isRuby()) {
            requireNamespace(app.namespace(), settings.redis().namespace());
        }
        RedisAddress own = turn(app, settings.redis(), settings.redisSource());
        if (own == null) {
            warn(app, settings);
            return settings;
        }
        LOG.log(
                Level.INFO,
                "Redis is the one of the app's config.redis, "
                        + own
                        + ", in place of "
                        + settings.redis()
                        + " (from "
                        + settings.redisSource()
                        + "). Commands and mawashi web read no config.redis: give them its URL by"
                        + " --redis or REDIS_URL");
        if (own.isUnverified()) {
            LOG.log(
                    Level.WARNING,
                    "the certificate of Redis is not verified (verify_mode in config.redis):"
                            + " whoever is between can read and change all");
        }
        return settings.at(own);
    }

    /// The app's own Redis, where a server to which no flag names another turns to it.
    ///
    /// @param server the server's so far, with this key
    /// @param source the variable that names it
    /// @return null where the server stays in its own
    /// @throws StartFailure when that of the app cannot be taken
    public @Nullable RedisAddress turn(AppRedis app, RedisAddress server, String source) {
        if (app.url().isEmpty() || app.isMet()) {
            return null;
        }
        try {
            RedisAddress own = RedisAddress.parse(app.url());
            if (!server.namespace().isEmpty()) {
                own = own.withNamespace(server.namespace());
            }
            boolean isKept = isMade || own.equals(server) || !app.obstacle().isEmpty();
            if (own.isSamePlace(server) && isKept) {
                return null;
            }
            if (!app.obstacle().isEmpty()) {
                throw new IllegalArgumentException(app.obstacle());
            }
            own.checkFiles();
            return own;
        } catch (IllegalArgumentException | RedisTls.Unusable wrong) {
            throw new StartFailure(
                    "the app's config.redis names another Redis than "
                            + server
                            + " (from "
                            + source
                            + "), and the server cannot take it: "
                            + wrong.getMessage()
                            + ": start with --redis and the URL of the app's Redis");
        }
    }

    private void warn(AppRedis app, ServerSettings settings) {
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
                            + "). Jobs that are enqueued there do not run here: "
                            + (settings.redisSource().equals(ServerSettings.REDIS_FLAG)
                                    ? "leave --redis out, or give it the app's URL"
                                    : "start with --redis and the app's URL, or put it into"
                                            + " REDIS_URL"));
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
