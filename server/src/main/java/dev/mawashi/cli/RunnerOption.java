package dev.mawashi.cli;

import dev.mawashi.config.MawashiFile;
import dev.mawashi.config.Origins;
import dev.mawashi.config.PoolSettings;
import dev.mawashi.config.PoolSettings.Limits;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.embedded.SearchPath;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that choose the runner of jobs, joined with the app's `config/mawashi.yml`; and the
/// default where neither names one.
final class RunnerOption {
    private static final System.Logger LOG = System.getLogger(RunnerOption.class.getName());

    @Option(
            names = "--runner",
            paramLabel = "jruby|mri|fork|java",
            description =
                    "jruby: threads of one embedded JRuby. mri: forked processes of the ruby on"
                            + " PATH (default for an app with a Gemfile). fork: a process of that"
                            + " ruby per job. java: job classes in Java. config/mawashi.yml"
                            + " chooses for single queues.")
    private @Nullable String name;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description =
                    "With mri, the number of processes; -c is then per process. Without it there"
                            + " is one per core, and -c counts for all together. Only the default"
                            + " capsule's concurrency changes.")
    private @Nullable Integer processes;

    @Option(
            names = "--ruby",
            paramLabel = "PROGRAM",
            description = "With mri and fork, the Ruby to use (ruby).")
    private @Nullable String ruby;

    @Option(
            names = "--java-classpath",
            paramLabel = "PATH",
            description =
                    "With java, the jars and folders of the job classes, with : between them;"
                            + " lib/* for all jars in a folder.")
    private @Nullable String javaClassPath;

    private String reason = "";

    /// @param require the value of `-r`; null for the present directory
    /// @param configFile the value of `-C`; `mawashi.yml` is expected beside it
    /// @throws WrongUse when the flags do not go together
    /// @throws dev.mawashi.config.ConfigFailure when the file cannot be followed
    RunnerChoice choose(
            @Nullable String require,
            @Nullable String configFile,
            Map<String, String> environment) {
        checkProcesses();
        Path app = Path.of(Objects.requireNonNullElse(require, "."));
        RunnerChoice file = MawashiFile.read(file(app, configFile));
        RunnerChoice given =
                file.with(
                        new PoolSettings(kind(), processes, null, null, Limits.NONE, origins()),
                        ruby,
                        javaClassPath);
        if (given.all().runner() == null) {
            RunnerKind chosen =
                    ruby == null && processes == null ? byApp(app, environment) : RunnerKind.MRI;
            given = given.with(RunnerChoice.of(chosen).all(), null, null);
        }
        checkUse(given.kinds());
        return given;
    }

    private Origins origins() {
        Map<String, String> places = new HashMap<>();
        if (name != null) {
            places.put("runner", "--runner");
        }
        if (processes != null) {
            places.put("processes", "--processes");
        }
        return Origins.of(places);
    }

    /// Where `mawashi.yml` is expected.
    static Path file(Path app, @Nullable String configFile) {
        if (configFile != null) {
            return Path.of(configFile).resolveSibling("mawashi.yml");
        }
        return (Files.isDirectory(app) ? app : Path.of("")).resolve("config/mawashi.yml");
    }

    private @Nullable RunnerKind kind() {
        if (name == null) {
            return null;
        }
        return RunnerKind.of(name)
                .orElseThrow(() ->
                        new WrongUse(
                                "--runner is "
                                        + name
                                        + ", must be one of "
                                        + String.join(", ", RunnerKind.words())));
    }

    private void checkProcesses() {
        if (processes != null && (processes < 1 || processes > PoolSettings.PROCESSES_MAX)) {
            throw new WrongUse(
                    "--processes is " + processes + ", must be 1 to " + PoolSettings.PROCESSES_MAX);
        }
    }

    /// A flag for Ruby processes is no wrong use where there are none: `--runner` alone is to
    /// switch a command line to another runner and back.
    private void checkUse(Set<RunnerKind> kinds) {
        if (ruby != null && kinds.stream().noneMatch(RunnerKind::isInChildren)) {
            warn("--ruby", kinds, "mri and fork");
        }
        if (processes != null && kinds.stream().noneMatch(RunnerKind::hasProcesses)) {
            warn("--processes", kinds, "mri (with fork, -c is how many run at once)");
        }
        if (javaClassPath != null && !kinds.contains(RunnerKind.JAVA)) {
            throw new WrongUse("--java-classpath goes with --runner java");
        }
    }

    private static void warn(String flag, Set<RunnerKind> kinds, String with) {
        String runners = kinds.stream().map(RunnerKind::word).collect(Collectors.joining(", "));
        LOG.log(
                Level.WARNING,
                flag + " has no effect with runner " + runners + ": it goes with " + with);
    }

    private RunnerKind byApp(Path app, Map<String, String> environment) {
        boolean hasRuby =
                SearchPath.of(environment.getOrDefault("PATH", "")).first("ruby").isPresent();
        RunnerKind chosen = RunnerKind.JRUBY;
        if (!hasGemfile(app, environment)) {
            reason = "runner jruby, since no Gemfile is beside or above the app (or --runner mri)";
        } else if (!hasRuby) {
            reason = "runner jruby, since no ruby is on PATH (or --ruby PROGRAM)";
        } else {
            chosen = RunnerKind.MRI;
            reason = "runner mri, since there is a Gemfile and a ruby on PATH (or --runner jruby)";
        }
        return chosen;
    }

    private static boolean hasGemfile(Path app, Map<String, String> environment) {
        if (!environment.getOrDefault("BUNDLE_GEMFILE", "").isEmpty()) {
            return true;
        }
        return Stream.of(app, Path.of(""))
                .map(path -> path.toAbsolutePath().normalize())
                .flatMap(path -> Stream.iterate(path, Objects::nonNull, Path::getParent))
                .anyMatch(folder -> Files.isRegularFile(folder.resolve("Gemfile")));
    }

    /// Why this runner was chosen, for who does not get the app to load; "" where a flag or the
    /// file names it.
    String reason() {
        return reason;
    }

    /// Logs the same.
    void logReason() {
        if (!reason.isEmpty()) {
            LOG.log(Level.INFO, reason);
        }
    }
}
