package dev.mawashi.config;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// By what the jobs of which queue are run.
///
/// @param all holds where nothing else is said
/// @param ruby the MRI to use, by its path or name; null for the `ruby` on `PATH`
/// @param javaClassPath where the job classes in Java are; null when nothing was said of it
/// @param capsules by name
/// @param queues by name; more than their capsule's
/// @param runners slots for the jobs whose class names its runner
/// @param resque Resque's jobs
public record RunnerChoice(
        PoolSettings all,
        @Nullable String ruby,
        @Nullable String javaClassPath,
        Map<String, PoolSettings> capsules,
        Map<String, PoolSettings> queues,
        Map<RunnerKind, PoolSettings> runners,
        ResqueChoice resque) {
    public static final RunnerChoice NONE =
            new RunnerChoice(
                    PoolSettings.NONE, null, null, Map.of(), Map.of(), Map.of(), ResqueChoice.NONE);

    public RunnerChoice {
        capsules = Map.copyOf(capsules);
        queues = Map.copyOf(queues);
        runners = Map.copyOf(runners);
    }

    /// One for all queues.
    public static RunnerChoice of(RunnerKind kind) {
        return NONE.with(
                new PoolSettings(kind, null, null, null, PoolSettings.Limits.NONE), null, null);
    }

    /// The same with what flags say of all queues.
    public RunnerChoice with(
            PoolSettings flags, @Nullable String program, @Nullable String classPath) {
        return new RunnerChoice(
                flags.over(all),
                program == null ? ruby : program,
                classPath == null ? javaClassPath : classPath,
                capsules,
                queues,
                runners,
                resque);
    }

    /// The one that loads the app which says what the server is to do: a Ruby, if any is named.
    public RunnerKind leading() {
        return all.kind().isRuby()
                ? all.kind()
                : kinds().stream().filter(RunnerKind::isRuby).findFirst().orElse(all.kind());
    }

    /// All that are named.
    public Set<RunnerKind> kinds() {
        Set<RunnerKind> kinds = EnumSet.noneOf(RunnerKind.class);
        kinds.addAll(runners.keySet());
        Stream.of(
                        Stream.of(all, resque.pool()),
                        capsules.values().stream(),
                        queues.values().stream())
                .flatMap(settings -> settings)
                .forEach(settings -> {
                    if (settings.runner() != null) {
                        kinds.add(settings.runner());
                    }
                });
        return kinds;
    }

    /// How a capsule's jobs are run.
    PoolSettings capsule(String name) {
        return capsules.getOrDefault(name, PoolSettings.NONE).over(all);
    }

    /// How the jobs are run whose class names this runner.
    PoolSettings runner(RunnerKind kind) {
        return runners.getOrDefault(kind, PoolSettings.NONE).over(all);
    }
}
