package dev.mawashi.cli;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.ConfigFailure;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.RubyBootFailure;
import dev.mawashi.server.ServerPlan;
import dev.mawashi.server.ServerSettings;
import dev.mawashi.server.StartFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads what flags, variables and files come to, or all that is wrong with them: a part that
/// cannot be followed does not end the reading of the others.
final class ConfigReading {
    private final RunOptions options;
    private final LogOption log;
    private final Map<String, String> environment;
    private final List<RuntimeException> failures = new ArrayList<>();

    /// A server as it would be.
    record Found(ServerSettings settings, ServerPlan plan) {}

    ConfigReading(RunOptions options, LogOption log, Map<String, String> environment) {
        this.options = options;
        this.log = log;
        this.environment = environment;
    }

    /// @param isLoad whether to load the app, and not only to read its config file
    /// @return null when something is wrong
    @Nullable Found read(boolean isLoad) {
        RunnerChoice runners = part(() -> options.runners(environment));
        AppFlags app = part(() -> options.app(environment, log, false));
        RedisAddress redis = part(() -> options.address(environment));
        LeaseSettings lease = part(options::lease);
        if (runners == null || app == null || redis == null || lease == null) {
            if (app != null) {
                AppSettings _ = part(() -> readApp(app, runners));
            }
            return null;
        }
        RunOptions.Parts parts = new RunOptions.Parts(app, runners, redis, lease);
        ServerSettings settings = part(() -> options.settings(parts, environment, false));
        if (settings == null) {
            AppSettings _ = part(() -> readApp(app, runners));
            return null;
        }
        ServerPlan plan =
                part(() ->
                        isLoad
                                ? ServerPlan.load(settings, environment)
                                : ServerPlan.of(readApp(app, runners), settings));
        return plan == null ? null : new Found(plan.settings(), plan);
    }

    private AppSettings readApp(AppFlags app, @Nullable RunnerChoice runners) {
        boolean isRuby = runners == null || runners.first().isRuby();
        return ServerPlan.readApp(app, isRuby, environment);
    }

    private <T> @Nullable T part(Supplier<T> part) {
        try {
            return part.get();
        } catch (WrongUse
                | CommandFailure
                | ConfigFailure
                | StartFailure
                | RubyBootFailure
                | ChildFailure failure) {
            failures.add(failure);
            return null;
        }
    }

    /// All that is wrong, a line for each.
    List<String> mistakes() {
        return failures.stream()
                .flatMap(failure ->
                        failure instanceof ConfigFailure config
                                ? config.mistakes().stream()
                                : String.valueOf(failure.getMessage()).lines())
                .distinct()
                .toList();
    }

    /// The exit code of `mawashi run` with these mistakes.
    int exitCode() {
        boolean isWrongUse =
                failures.stream()
                        .anyMatch(f -> f instanceof WrongUse || f instanceof ConfigFailure);
        return isWrongUse ? Main.WRONG_USE : Main.FAILED;
    }
}
