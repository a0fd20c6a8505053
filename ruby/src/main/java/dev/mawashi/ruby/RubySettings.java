package dev.mawashi.ruby;

import dev.mawashi.client.JobSink;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a Ruby runtime needs to know to load an app.
///
/// @param require a Ruby file, or the directory of a Rails app
/// @param environment what `-e` said; null leaves it to APP_ENV, RAILS_ENV and RACK_ENV
/// @param processEnvironment the environment the app sees, as `System.getenv()` gives it
/// @param concurrency how many jobs run at once; the app's sidekiq gem sizes its pool by it
/// @param redisUrl the server's Redis, which the app's sidekiq gem takes too; null leaves it to
///   REDIS_URL and REDIS_PROVIDER
/// @param sink takes the jobs that are enqueued through the shipped API
public record RubySettings(
        String require,
        @Nullable String environment,
        Map<String, String> processEnvironment,
        int concurrency,
        @Nullable String redisUrl,
        JobSink sink) {
    public RubySettings {
        Objects.requireNonNull(require, "require");
        Objects.requireNonNull(sink, "sink");
        processEnvironment = Map.copyOf(processEnvironment);
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency is " + concurrency);
        }
    }
}
