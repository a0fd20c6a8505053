package dev.mawashi.server;

import dev.mawashi.config.RunnerChoice;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppFlags;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Settings of a server before its start. The rest comes from the app's config file and from the
/// app itself.
///
/// @param redis where the jobs are
/// @param redisSource the flag, the variable or the app's setting that says so; `NAMED_BY_NOBODY`
///   when none does
/// @param app what the command line says of the app
/// @param runners the runners of its jobs; the one for all that is not named is set
/// @param resque which of Resque's queues to work on; null for none
/// @param tagDefault what Sidekiq's page shows beside the process when nothing else is set
/// @param listening at which ports
/// @param isAlone whether another server started this one, to run suspects and nothing else
/// @param isStrict whether to refuse a Redis that may lose more than the last two seconds, or evict
///   jobs
public record ServerSettings(
        RedisAddress redis,
        String redisSource,
        AppFlags app,
        RunnerChoice runners,
        @Nullable ResqueSettings resque,
        String tagDefault,
        LeaseSettings lease,
        Listening listening,
        boolean isAlone,
        boolean isStrict) {
    /// The flag that names Redis, whatever the app says.
    public static final String REDIS_FLAG = "--redis";

    /// The source of one that neither a flag nor a variable names.
    public static final String NAMED_BY_NOBODY = "default";

    private static final String OF_APP = "config.redis";

    public ServerSettings {
        Objects.requireNonNull(redis, "redis");
        Objects.requireNonNull(redisSource, "redisSource");
        Objects.requireNonNull(app, "app");
        Objects.requireNonNull(tagDefault, "tagDefault");
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(listening, "listening");
    }

    /// Whether the Redis of the app's own `config.redis` counts. That of Resque's jobs may be
    /// another.
    boolean followsApp() {
        return resque == null && !redisSource.equals(REDIS_FLAG);
    }

    /// The same in the Redis that the app's own `config.redis` names.
    ServerSettings at(RedisAddress ofApp) {
        return new ServerSettings(
                ofApp,
                OF_APP,
                app,
                runners,
                resque,
                tagDefault,
                lease,
                listening.at(ofApp),
                isAlone,
                isStrict);
    }

    /// The level of the server's own lines.
    public Level logLevel() {
        return app.isVerbose()
                ? Level.DEBUG
                : Objects.requireNonNullElse(runners.logLevel(), Level.INFO);
    }
}
