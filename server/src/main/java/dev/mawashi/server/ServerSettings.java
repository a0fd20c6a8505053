package dev.mawashi.server;

import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a server needs to know before it starts.
///
/// @param redis where the jobs are
/// @param require a Ruby file, or the directory of a Rails app
/// @param environment what `-e` said; null leaves it to APP_ENV, RAILS_ENV and RACK_ENV
/// @param tag what Sidekiq's page shows beside the process
/// @param stopPatience how long running jobs may go on after TERM
public record ServerSettings(
        RedisAddress redis,
        String require,
        @Nullable String environment,
        String tag,
        CapsuleSettings capsule,
        LeaseSettings lease,
        Duration stopPatience) {
    /// Sidekiq's `timeout`.
    public static final Duration STOP_PATIENCE = Duration.ofSeconds(25);

    public ServerSettings {
        Objects.requireNonNull(redis, "redis");
        Objects.requireNonNull(require, "require");
        Objects.requireNonNull(tag, "tag");
        Objects.requireNonNull(capsule, "capsule");
        Objects.requireNonNull(lease, "lease");
        if (stopPatience.isNegative()) {
            throw new IllegalArgumentException("timeout is negative: " + stopPatience);
        }
    }
}
