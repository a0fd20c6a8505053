package dev.mawashi.cli;

import dev.mawashi.embedded.SearchPath;
import dev.mawashi.server.Runner;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flags that say in which Ruby jobs run, and the choice where they do not.
final class RunnerOption {
    private static final System.Logger LOG = System.getLogger(RunnerOption.class.getName());

    @Option(
            names = "--runner",
            paramLabel = "jruby|mri",
            description =
                    "jruby: threads of one embedded JRuby. mri: forked processes of the ruby on"
                            + " PATH (default for a directory with a Gemfile).")
    private @Nullable String name;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description =
                    "With mri, how many processes; -c is then the threads of each (one a core).")
    private @Nullable Integer processes;

    @Option(
            names = "--ruby",
            paramLabel = "PROGRAM",
            description = "With mri, the Ruby to use (ruby).")
    private @Nullable String ruby;

    /// @param require what `-r` names, the present directory without
    /// @throws WrongUse when the flags do not go together
    Runner choose(@Nullable String require, Map<String, String> environment) {
        if (name == null && ruby == null && processes == null) {
            return byApp(Path.of(Objects.requireNonNullElse(require, ".")), environment);
        }
        String chosen = Objects.requireNonNullElse(name, "mri");
        return switch (chosen) {
            case "mri" -> mri(Objects.requireNonNullElse(ruby, "ruby"));
            case "jruby" -> {
                if (ruby != null || processes != null) {
                    throw new WrongUse("--ruby and --processes go with --runner mri");
                }
                yield new Runner.Jruby();
            }
            default -> throw new WrongUse("--runner is " + chosen + ", must be jruby or mri");
        };
    }

    private Runner byApp(Path app, Map<String, String> environment) {
        if (!Files.isRegularFile(app.resolve("Gemfile"))) {
            return new Runner.Jruby();
        }
        boolean hasRuby =
                SearchPath.of(environment.getOrDefault("PATH", "")).first("ruby").isPresent();
        LOG.log(
                Level.INFO,
                hasRuby
                        ? "runner mri, since there is a Gemfile and a ruby on PATH (or --runner jruby)"
                        : "runner jruby, since there is no ruby on PATH");
        return hasRuby ? mri("ruby") : new Runner.Jruby();
    }

    private Runner mri(String program) {
        int cores = Runtime.getRuntime().availableProcessors();
        try {
            return new Runner.Mri(program, Objects.requireNonNullElse(processes, cores));
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse("--" + wrong.getMessage());
        }
    }
}
