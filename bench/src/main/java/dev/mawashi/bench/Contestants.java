package dev.mawashi.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Who takes part, and how each is started: as its users do.
final class Contestants {
    private Contestants() {}

    /// `mawashi run --runner mri`.
    ///
    /// @param launcher the words before `run`
    /// @param processes children
    /// @param threads of each
    static Contestant mri(List<String> launcher, Path app, int processes, int threads, int jobs) {
        List<String> command = new ArrayList<>(mawashi(launcher, app, threads, jobs).command());
        command.addAll(List.of("--runner", "mri", "--processes", Integer.toString(processes)));
        String ruby = Programs.firstLine("ruby", "--version").split(" \\(", 2)[0];
        String form =
                "run --runner mri, %s, %d children x %d threads, log level warn"
                        .formatted(ruby, processes, threads);
        return new Contestant("mawashi", form, command, Map.of(), 1, jobs);
    }

    /// `mawashi run`.
    ///
    /// @param launcher the words before `run`
    static Contestant mawashi(List<String> launcher, Path app, int threads, int jobs) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of("run", "-r", app.toString(), "-e", "production"));
        command.addAll(List.of("-q", BenchRedis.QUEUE, "-c", Integer.toString(threads)));
        String form = "run -c " + threads + ", one process, runner jruby, log level warn";
        return new Contestant("mawashi", form, command, Map.of(), 1, jobs);
    }

    /// The installed Sidekiq; empty when there is none.
    static Optional<Contestant> sidekiq(Path app, int processes, int threads, int jobs) {
        return Programs.find("sidekiq")
                .map(program -> sidekiq(program, app, processes, threads, jobs));
    }

    private static Contestant sidekiq(
            Path program, Path app, int processes, int threads, int jobs) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-r", app.toString()));
        command.addAll(List.of("-e", "production", "-q", BenchRedis.QUEUE));
        command.addAll(List.of("-c", Integer.toString(threads)));
        String version = Programs.firstLine(program.toString(), "--version");
        String ruby = Programs.firstLine("ruby", "--version").split(" \\(", 2)[0];
        String form =
                "%s, %s, %d processes x %d threads, log level warn"
                        .formatted(version, ruby, processes, threads);
        return new Contestant("sidekiq", form, command, Map.of(), processes, jobs);
    }

    /// The `./mawashi` of the checkout that this class was built in.
    static List<String> launcher() {
        try {
            Path built =
                    Path.of(
                            Contestants.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            // CHECKOUT/bench/target/mawashi-bench-VERSION.jar
            Path module = Objects.requireNonNull(built.getParent()).resolve("../..");
            Path launcher = module.resolve("mawashi").normalize();
            if (Files.isExecutable(launcher)) {
                return List.of(launcher.toString());
            }
            throw new BenchFailure(
                    "there is no " + launcher + ": call ./mawashi bench in a checkout");
        } catch (URISyntaxException e) {
            throw new BenchFailure("cannot tell where this was built: " + e.getMessage(), e);
        }
    }
}
