package dev.mawashi.ruby;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The command line's flags about the app; null or empty for a missing one. The app's config file
/// and its code give the rest.
///
/// @param require a Ruby file, or the directory of a Rails app; "" for no app at all
/// @param configFile instead of `config/sidekiq.yml`; "" for none at all, nor a `Gemfile`
/// @param environment leaves it to APP_ENV, RAILS_ENV and RACK_ENV when null
/// @param tag what Sidekiq's page shows beside the process
/// @param concurrency jobs that run at once
/// @param timeoutSeconds how long running jobs may go on after TERM
/// @param queues names with their weights, 0 for none
/// @param isVerbose whether the app's logger starts at level DEBUG
/// @param isLogJson whether the app's logger starts with Sidekiq's JSON formatter
/// @param accepted names of what the app relies on and is to do without
/// @param isSecond whether the server has loaded the app before, so that what counts once is done
/// @param hidesArguments whether Sidekiq's own lines about failed jobs are to be without arguments
public record AppFlags(
        @Nullable String require,
        @Nullable String configFile,
        @Nullable String environment,
        @Nullable String tag,
        @Nullable Integer concurrency,
        @Nullable Double timeoutSeconds,
        SequencedMap<String, Integer> queues,
        boolean isVerbose,
        boolean isLogJson,
        List<String> accepted,
        boolean isSecond,
        boolean hidesArguments) {
    public AppFlags {
        accepted = List.copyOf(accepted);
        queues = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(queues));
    }

    /// Flags without `-v`, `--log-format` and `--accept`.
    public AppFlags(
            @Nullable String require,
            @Nullable String configFile,
            @Nullable String environment,
            @Nullable String tag,
            @Nullable Integer concurrency,
            @Nullable Double timeoutSeconds,
            SequencedMap<String, Integer> queues) {
        this(
                require,
                configFile,
                environment,
                tag,
                concurrency,
                timeoutSeconds,
                queues,
                false,
                false,
                List.of(),
                false,
                false);
    }

    /// The same for a server that is to load no app.
    ///
    /// @param file the config file, by its path
    public AppFlags withoutApp(String file) {
        return new AppFlags(
                "",
                file,
                environment,
                tag,
                concurrency,
                timeoutSeconds,
                queues,
                isVerbose,
                isLogJson,
                accepted,
                isSecond,
                hidesArguments);
    }

    /// The same, wherever Ruby's own folder is by now.
    ///
    /// @param folder the one that paths are relative to
    public AppFlags at(Path folder) {
        return new AppFlags(
                "".equals(require)
                        ? require
                        : folder.resolve(Objects.requireNonNullElse(require, ".")).toString(),
                configFile == null || configFile.isEmpty()
                        ? configFile
                        : folder.resolve(configFile).toString(),
                environment,
                tag,
                concurrency,
                timeoutSeconds,
                queues,
                isVerbose,
                isLogJson,
                accepted,
                isSecond,
                hidesArguments);
    }

    /// The same for an app that the server has loaded before.
    public AppFlags second() {
        return with(true, hidesArguments);
    }

    /// The same for a server whose `config/mawashi.yml` hides arguments, or hides none.
    public AppFlags hidingArguments(boolean hides) {
        return with(isSecond, hides);
    }

    private AppFlags with(boolean second, boolean hides) {
        return new AppFlags(
                require,
                configFile,
                environment,
                tag,
                concurrency,
                timeoutSeconds,
                queues,
                isVerbose,
                isLogJson,
                accepted,
                second,
                hides);
    }

    /// Flags that give only a Ruby file or a directory.
    public static AppFlags require(String path) {
        return new AppFlags(path, null, null, null, null, null, new LinkedHashMap<>());
    }
}
