package dev.mawashi.config;

import dev.mawashi.cron.CronFile;
import dev.mawashi.wire.RedactionRule;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The choices of `config/mawashi.yml`: a runner and its settings for each queue, and what is
/// hidden of jobs.
///
/// @param all settings for all that the others do not name
/// @param ruby the MRI to use, by its path or name; null for the `ruby` on `PATH`
/// @param javaClassPath where the job classes in Java are; null when it is not given
/// @param capsules settings of capsules, by their names
/// @param queues settings of queues, by their names; they win over their capsule's
/// @param runners settings of the slots for jobs whose class names its runner
/// @param resque Resque's jobs
/// @param redact rules on what is hidden of jobs where people look at them
/// @param cron schedules
/// @param restart limits of a restart
/// @param logLevel of the server's own lines; null when it is not given
/// @param connections most connections to Redis of a server; null for any number
/// @param origins where `ruby`, `java_classpath`, `redact`, `cron`, `log_level` and `connections`
///   came from
public record RunnerChoice(
        PoolSettings all,
        @Nullable String ruby,
        @Nullable String javaClassPath,
        Map<String, PoolSettings> capsules,
        Map<String, PoolSettings> queues,
        Map<RunnerKind, PoolSettings> runners,
        ResqueChoice resque,
        List<RedactionRule> redact,
        CronFile cron,
        RestartChoice restart,
        System.Logger.@Nullable Level logLevel,
        @Nullable Integer connections,
        Origins origins) {
    public static final RunnerChoice NONE =
            new RunnerChoice(
                    PoolSettings.NONE,
                    null,
                    null,
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    ResqueChoice.NONE,
                    List.of(),
                    CronFile.NONE,
                    RestartChoice.DEFAULT,
                    null,
                    null,
                    Origins.NONE);

    public RunnerChoice {
        capsules = Map.copyOf(capsules);
        queues = Map.copyOf(queues);
        runners = Map.copyOf(runners);
        redact = List.copyOf(redact);
    }

    /// The choice of one runner for all queues.
    public static RunnerChoice of(RunnerKind kind) {
        return NONE.with(
                new PoolSettings(kind, null, null, null, PoolSettings.Limits.NONE), null, null);
    }

    /// This choice, with the flags' values in place of those for all queues.
    public RunnerChoice with(
            PoolSettings flags, @Nullable String program, @Nullable String classPath) {
        return new RunnerChoice(
                flags.over(all),
                program == null ? ruby : program,
                classPath == null ? javaClassPath : classPath,
                capsules,
                queues,
                runners,
                resque,
                redact,
                cron,
                restart,
                logLevel,
                connections,
                flags(program, classPath).over(origins));
    }

    private static Origins flags(@Nullable String program, @Nullable String classPath) {
        Map<String, String> places = new HashMap<>();
        if (program != null) {
            places.put("ruby", "--ruby");
        }
        if (classPath != null) {
            places.put("java_classpath", "--java-classpath");
        }
        return Origins.of(places);
    }

    /// The runner whose app is loaded first and gives the server its settings: one in Ruby, if any
    /// is chosen.
    public RunnerKind first() {
        return all.kind().isRuby()
                ? all.kind()
                : kinds().stream().filter(RunnerKind::isRuby).findFirst().orElse(all.kind());
    }

    /// All runners that are chosen.
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
}
