package dev.mawashi.server;

import dev.mawashi.client.JobSink;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.AppSettings.Origin;
import dev.mawashi.ruby.AppSettings.Pool;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// The settings of a server without an app in Ruby, from flags and, where there is one, the config
/// file.
final class JavaSettings {
    private static final String ENVIRONMENT = "environment";
    private static final String THREADS = "RAILS_MAX_THREADS";
    private static final int CONCURRENCY = 10;
    private static final double TIMEOUT_SECONDS = 25;
    private static final int RETRIES_MAX = 25;
    private static final int DEAD_JOBS_MAX = 10_000;
    private static final Duration DEAD_AGE_MAX = Duration.ofDays(180);
    private static final List<Path> FILES =
            List.of(Path.of("config/sidekiq.yml"), Path.of("config/sidekiq.yml.erb"));

    private JavaSettings() {}

    /// @throws StartFailure when a flag or variable is not valid
    /// @throws dev.mawashi.ruby.RubyBootFailure when the config file cannot be followed
    static AppSettings read(AppFlags flags, Map<String, String> environment) {
        if (flags.require() != null) {
            throw new StartFailure(
                    "-r names an app in Ruby, which --runner java does not load (choose other"
                            + " runners for single queues in config/mawashi.yml)");
        }
        return withoutApp(flags, environment);
    }

    /// The same for an app in Ruby that is not loaded, with what flags and config file say.
    ///
    /// @throws StartFailure when a flag or variable is not valid
    /// @throws dev.mawashi.ruby.RubyBootFailure when the config file cannot be followed
    static AppSettings withoutApp(AppFlags flags, Map<String, String> environment) {
        String file = flags.configFile() == null ? file(flags) : flags.configFile();
        return file.isEmpty()
                ? of(flags, environment)
                : withFile(flags.withoutApp(file), environment);
    }

    /// Where Ruby would find the config file; "" when there is none.
    private static String file(AppFlags flags) {
        Path app = Path.of(Objects.requireNonNullElse(flags.require(), "."));
        Path folder = Files.isDirectory(app) ? app : Path.of("");
        return FILES.stream()
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .map(Path::toString)
                .orElse("");
    }

    /// The file may hold ERB, so it is Ruby that reads it.
    private static AppSettings withFile(AppFlags flags, Map<String, String> environment) {
        JobSink none =
                _ -> {
                    throw new IllegalStateException("a config file enqueues no jobs");
                };
        RubySettings withoutApp = new RubySettings(flags, environment, null, none, _ -> List.of());
        try (RubyRuntime ruby = RubyRuntime.boot(withoutApp)) {
            return ruby.settings();
        }
    }

    private static AppSettings of(AppFlags flags, Map<String, String> environment) {
        SequencedMap<String, Integer> queues = new LinkedHashMap<>(flags.queues());
        if (queues.isEmpty()) {
            queues.put("default", 0);
        }
        List<Origin> origins = new ArrayList<>();
        origins.add(appEnvironment(flags, environment));
        origin(origins, "timeout", flags.timeoutSeconds() == null ? "" : "-t");
        origin(origins, "tag", flags.tag() == null ? "" : "-g");
        origin(origins, "capsules.default.queues", flags.queues().isEmpty() ? "" : "-q");
        origin(origins, "capsules.default.concurrency", concurrencyFrom(flags, environment));
        return new AppSettings(
                Objects.requireNonNullElse(flags.timeoutSeconds(), TIMEOUT_SECONDS),
                flags.tag(),
                List.of(),
                RETRIES_MAX,
                DEAD_JOBS_MAX,
                DEAD_AGE_MAX.toSeconds(),
                List.of(new Pool("default", concurrency(flags, environment), queues)),
                origins,
                AppSettings.NO_PERIODIC);
    }

    /// As `Mawashi::AppEnvironment` chooses it.
    private static Origin appEnvironment(AppFlags flags, Map<String, String> environment) {
        if (flags.environment() != null) {
            return new Origin(ENVIRONMENT, flags.environment(), "-e");
        }
        return Stream.of("APP_ENV", "RAILS_ENV", "RACK_ENV")
                .filter(environment::containsKey)
                .findFirst()
                .map(name -> new Origin(ENVIRONMENT, environment.getOrDefault(name, ""), name))
                .orElse(new Origin(ENVIRONMENT, "development", AppSettings.DEFAULT));
    }

    private static void origin(List<Origin> origins, String key, String place) {
        origins.add(new Origin(key, "", place.isEmpty() ? AppSettings.DEFAULT : place));
    }

    private static String concurrencyFrom(AppFlags flags, Map<String, String> environment) {
        if (flags.concurrency() != null) {
            return "-c";
        }
        return environment.getOrDefault(THREADS, "").isEmpty() ? "" : THREADS;
    }

    private static int concurrency(AppFlags flags, Map<String, String> environment) {
        if (flags.concurrency() != null) {
            return flags.concurrency();
        }
        String threads = environment.getOrDefault(THREADS, "");
        try {
            return threads.isEmpty() ? CONCURRENCY : Integer.parseInt(threads);
        } catch (NumberFormatException _) {
            throw new StartFailure(THREADS + " is " + threads + ", must be a whole number");
        }
    }
}
