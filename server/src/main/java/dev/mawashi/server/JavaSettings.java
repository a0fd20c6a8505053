package dev.mawashi.server;

import dev.mawashi.ruby.AppFlags;
import dev.mawashi.ruby.AppSettings;
import dev.mawashi.ruby.AppSettings.Pool;
import dev.mawashi.ruby.RubyRuntime;
import dev.mawashi.ruby.RubySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/// The settings of a server without an app in Ruby, from flags and, where there is one, the config
/// file.
final class JavaSettings {
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
    static AppSettings read(RubySettings given) {
        AppFlags flags = given.flags();
        if (flags.require() != null) {
            throw new StartFailure(
                    "-r names an app in Ruby, which --runner java does not load (choose other"
                            + " runners for single queues in config/mawashi.yml)");
        }
        boolean hasFile =
                flags.configFile() == null
                        ? FILES.stream().anyMatch(Files::isRegularFile)
                        : !flags.configFile().isEmpty();
        return hasFile ? withFile(given) : of(flags, given.processEnvironment());
    }

    /// The file may hold ERB, so it is Ruby that reads it.
    private static AppSettings withFile(RubySettings given) {
        RubySettings withoutApp =
                new RubySettings(
                        given.flags().withoutApp(),
                        given.processEnvironment(),
                        given.redisUrl(),
                        given.sink(),
                        given.iterations());
        try (RubyRuntime ruby = RubyRuntime.boot(withoutApp)) {
            return ruby.settings();
        }
    }

    private static AppSettings of(AppFlags flags, Map<String, String> environment) {
        SequencedMap<String, Integer> queues = new LinkedHashMap<>(flags.queues());
        if (queues.isEmpty()) {
            queues.put("default", 0);
        }
        return new AppSettings(
                Objects.requireNonNullElse(flags.timeoutSeconds(), TIMEOUT_SECONDS),
                flags.tag(),
                List.of(),
                RETRIES_MAX,
                DEAD_JOBS_MAX,
                DEAD_AGE_MAX.toSeconds(),
                List.of(new Pool("default", concurrency(flags, environment), queues)));
    }

    private static int concurrency(AppFlags flags, Map<String, String> environment) {
        if (flags.concurrency() != null) {
            return flags.concurrency();
        }
        String threads = environment.getOrDefault("RAILS_MAX_THREADS", "");
        try {
            return threads.isEmpty() ? CONCURRENCY : Integer.parseInt(threads);
        } catch (NumberFormatException _) {
            throw new StartFailure("RAILS_MAX_THREADS is " + threads + ", must be a whole number");
        }
    }
}
