package dev.mawashi.ruby;

import dev.mawashi.client.JobSink;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a Ruby runtime needs to know to load an app.
///
/// @param flags what the command line says of the app
/// @param processEnvironment the environment the app sees, as `System.getenv()` gives it
/// @param redisUrl the server's Redis, which the app's sidekiq gem takes too; null leaves it to
///   REDIS_URL and REDIS_PROVIDER
/// @param sink takes the jobs that are enqueued through the shipped API
public record RubySettings(
        AppFlags flags,
        Map<String, String> processEnvironment,
        @Nullable String redisUrl,
        JobSink sink) {
    public RubySettings {
        Objects.requireNonNull(flags, "flags");
        Objects.requireNonNull(sink, "sink");
        processEnvironment = Map.copyOf(processEnvironment);
    }
}
