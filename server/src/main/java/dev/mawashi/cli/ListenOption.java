package dev.mawashi.cli;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.server.Listening;
import dev.mawashi.tracing.Traces;
import dev.mawashi.web.WebSettings;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that say at which ports a server listens. `config/mawashi.yml` has none of them: all
/// servers of an app read it, and only one can have a port.
final class ListenOption {
    @Option(
            names = "--web",
            paramLabel = "[HOST:]PORT",
            description =
                    "Serves the pages that `mawashi web` serves, and answers as --health does"
                            + " (host 127.0.0.1). Any other address needs a secret in"
                            + " MAWASHI_WEB_VIEWER, _ENQUEUER, _OPERATOR or _ADMIN. The enqueuer"
                            + " may only enqueue, by POST /api/v1/jobs.")
    private @Nullable String web;

    @Option(
            names = "--health",
            paramLabel = "[HOST:]PORT",
            description =
                    "Answers probes at /health/live and /health/ready, and Prometheus at /metrics"
                            + " (host 127.0.0.1). At any other address metrics need the secret in"
                            + " MAWASHI_WEB_VIEWER.")
    private @Nullable String health;

    /// @param environment may have secrets
    /// @throws IllegalArgumentException with a message for the operator
    Listening settings(RedisAddress redis, ResqueKeys resque, Map<String, String> environment) {
        return new Listening(
                health == null ? null : Access.of(health, environment),
                web == null ? null : page(web, redis, resque, environment));
    }

    /// @param address `PORT` or `HOST:PORT`
    /// @throws IllegalArgumentException also when other machines could call and there is no secret
    static WebSettings page(
            String address,
            RedisAddress redis,
            ResqueKeys resque,
            Map<String, String> environment) {
        return new WebSettings(
                Access.guarded(address, environment),
                redis,
                resque,
                Version.ofThisBuild().mawashi(),
                Traces::of);
    }
}
