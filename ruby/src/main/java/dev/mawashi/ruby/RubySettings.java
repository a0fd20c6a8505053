package dev.mawashi.ruby;

import dev.mawashi.client.IterationStates;
import dev.mawashi.client.JobSink;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Settings of a Ruby runtime for loading an app.
///
/// @param flags what the command line says of the app
/// @param processEnvironment the environment the app sees, as `System.getenv()` gives it
/// @param redisUrl the server's Redis, which the app's sidekiq gem takes too; null leaves it to
///   REDIS_URL and REDIS_PROVIDER
/// @param identity of the server's process in Redis, which the app may ask for; null where it has
///   none
/// @param resque namespace of the Resque queues on which the server works; null where it does on
///   none
/// @param sink takes the jobs that are enqueued through the shipped API
/// @param iterations keeps how far its iterable jobs have come
/// @param followsApp whether the server turns to the Redis of the app's own connections, unless it
///   is there
public record RubySettings(
        AppFlags flags,
        Map<String, String> processEnvironment,
        @Nullable String redisUrl,
        @Nullable String identity,
        @Nullable String resque,
        JobSink sink,
        IterationStates iterations,
        boolean followsApp) {
    public RubySettings {
        Objects.requireNonNull(flags, "flags");
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(iterations, "iterations");
        processEnvironment = Map.copyOf(processEnvironment);
    }

    /// Settings without the identity of a process, and without Resque.
    public RubySettings(
            AppFlags flags,
            Map<String, String> processEnvironment,
            @Nullable String redisUrl,
            JobSink sink,
            IterationStates iterations) {
        this(flags, processEnvironment, redisUrl, null, null, sink, iterations, false);
    }

    /// The same for an app that the server has loaded before.
    public RubySettings second() {
        return new RubySettings(
                flags.second(),
                processEnvironment,
                redisUrl,
                identity,
                resque,
                sink,
                iterations,
                followsApp);
    }
}
