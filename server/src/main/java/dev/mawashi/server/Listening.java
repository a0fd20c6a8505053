package dev.mawashi.server;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.web.WebSettings;
import org.jspecify.annotations.Nullable;

/// The addresses at which a server listens.
///
/// @param health where to answer probes and scrapes alone; null for nowhere
/// @param web where to serve the page, and answer these too; null for nowhere
public record Listening(@Nullable Access health, @Nullable WebSettings web) {
    public static final Listening NOWHERE = new Listening(null, null);

    /// The same with a page of another Redis.
    Listening at(RedisAddress redis) {
        return new Listening(health, web == null ? null : web.at(redis));
    }

    /// Whether anybody may ask for figures.
    boolean isScraped() {
        return health != null || web != null;
    }

    /// Whether probes need a port of their own: where the page is they are answered anyway.
    ///
    /// @throws IllegalArgumentException when a host is not known
    boolean isHealthApart() {
        return health != null
                && (web == null || !health.address().isSameAs(web.access().address()));
    }
}
