package dev.mawashi.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flag `--redis URL`, and the environment variables that stand in for it: Sidekiq's own, so
/// that an app's settings serve as they are.
final class RedisOption {
    private static final String LOCAL = "redis://localhost:6379/0";
    private static final List<String> SCHEMES = List.of("redis", "rediss");

    @Option(
            names = "--redis",
            paramLabel = "URL",
            description = {
                "Redis or Valkey with the jobs, such as redis://:secret@host:6379/0 or rediss://host."
                        + " Without it, the variable that REDIS_PROVIDER names, or REDIS_URL, or "
                        + LOCAL
            })
    private @Nullable String given;

    /// Where Redis is.
    ///
    /// @throws WrongUse when what was given is no URL of a Redis
    URI url(Map<String, String> environment) {
        if (given != null) {
            return parsed("--redis", given);
        }
        @Nullable String provider = environment.get("REDIS_PROVIDER");
        if (provider == null || provider.isEmpty()) {
            return parsed("REDIS_URL", environment.getOrDefault("REDIS_URL", LOCAL));
        }
        if (provider.contains(":")) {
            throw new WrongUse(
                    "REDIS_PROVIDER holds a URL, but is to name the variable that holds it:"
                            + " put the URL into REDIS_URL and unset REDIS_PROVIDER");
        }
        @Nullable String named = environment.get(provider);
        if (named == null) {
            throw new WrongUse(
                    "REDIS_PROVIDER names the variable "
                            + provider
                            + ", which is not set: set it to the URL of Redis, or unset"
                            + " REDIS_PROVIDER");
        }
        return parsed(provider, named);
    }

    /// The URL fit to be printed: without user and password.
    static String shown(URI url) {
        String path = url.getPath() == null ? "" : url.getPath();
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getScheme() + "://" + url.getHost() + port + path;
    }

    /// The value is in no message: it may hold a password.
    private static URI parsed(String source, String value) {
        try {
            URI url = new URI(value.strip());
            if (url.getScheme() != null
                    && SCHEMES.contains(url.getScheme())
                    && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException _) {
            // Told below like every other wrong value.
        }
        throw new WrongUse(
                source
                        + " is no URL of a Redis: write redis://host:6379/0 or"
                        + " rediss://:password@host:6379/0 (with %XX for special characters of the"
                        + " password)");
    }
}
