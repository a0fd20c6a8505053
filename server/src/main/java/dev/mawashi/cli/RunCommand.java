package dev.mawashi.cli;

import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Server;
import dev.mawashi.server.ServerSettings;
import dev.mawashi.server.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `mawashi run`.
@Command(
        name = "run",
        description = "Works off an app's Sidekiq jobs, in place of `sidekiq`.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi run -r ./jobs.rb",
            "  mawashi run -r . -q critical -q default -c 20 -e production",
            "  REDIS_URL=redis://10.0.0.5:6379/1 mawashi run -r ./jobs.rb",
            "",
            "Signals: TERM and INT stop (running jobs get -t seconds, the rest goes back to the head",
            "of its queue), TSTP stops claiming.",
        })
final class RunCommand implements Callable<Integer> {
    private static final System.Logger LOG = System.getLogger(RunCommand.class.getName());
    private static final int CONCURRENCY_DEFAULT = 10;

    private final Map<String, String> environment;

    @Mixin private RedisOption redis = new RedisOption();

    @Option(
            names = {"-r", "--require"},
            paramLabel = "PATH",
            description = "A Ruby file with the jobs, or the directory of a Rails app (.).")
    private String require = ".";

    @Option(
            names = {"-q", "--queue"},
            paramLabel = "NAME",
            description =
                    "A queue to work on; give it several times for several, in strict order"
                            + " (default).")
    private List<String> queues = new ArrayList<>();

    @Option(
            names = {"-c", "--concurrency"},
            paramLabel = "N",
            description = "Jobs that run at once (RAILS_MAX_THREADS, otherwise 10).")
    private @Nullable Integer concurrency;

    @Option(
            names = {"-e", "--environment"},
            paramLabel = "NAME",
            description = "Environment of the app (APP_ENV, RAILS_ENV, RACK_ENV, development).")
    private @Nullable String appEnvironment;

    @Option(
            names = {"-g", "--tag"},
            paramLabel = "TAG",
            description = "What Sidekiq's page shows beside the process (the app's directory).")
    private @Nullable String tag;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            description = "How long running jobs may go on after TERM or INT (25).")
    private double timeoutSeconds = ServerSettings.STOP_PATIENCE.toSeconds();

    @Option(
            names = "--lease",
            paramLabel = "SECONDS",
            description =
                    "Silence after which other processes take this one for dead and run its jobs"
                            + " (30, at least 1).")
    private double leaseSeconds = LeaseSettings.LENGTH.toSeconds();

    @Option(
            names = "--sweep",
            paramLabel = "SECONDS",
            description = "Time between two looks for dead processes (15, at least 0.1).")
    private double sweepSeconds = LeaseSettings.SWEEP.toSeconds();

    @Option(
            names = {"-v", "--verbose"},
            description = "Logs more.")
    private boolean isVerbose;

    RunCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (isVerbose) {
            Logging.to(System.err, System.Logger.Level.DEBUG, Logging.isColourWanted(environment));
        }
        Server server = new Server(settings(), environment);
        Signals signals = Signals.install(server);
        boolean isWorking = server.start(signals::raiseFromPage);
        if (isWorking) {
            signals.awaitStop();
        }
        server.stop();
        return Main.DONE;
    }

    private ServerSettings settings() {
        List<String> names = queueNames();
        warnOfConfigFile();
        try {
            return new ServerSettings(
                    redis.address(environment),
                    require,
                    appEnvironment,
                    tag == null ? directoryName() : tag,
                    new CapsuleSettings("default", slots(), names),
                    new LeaseSettings(
                            names,
                            seconds("--lease", leaseSeconds),
                            seconds("--sweep", sweepSeconds)),
                    seconds("--timeout", timeoutSeconds));
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }

    private List<String> queueNames() {
        for (String name : queues) {
            if (name.contains(",")) {
                throw new WrongUse(
                        "-q "
                                + name
                                + ": weights are not there yet, queues are worked on in strict order:"
                                + " give each with a -q of its own, the most urgent first");
            }
        }
        return queues.isEmpty() ? List.of("default") : queues;
    }

    /// Sidekiq reads that file by itself, so its owner would expect the same here.
    private void warnOfConfigFile() {
        for (String file : List.of("config/sidekiq.yml", "config/sidekiq.yml.erb")) {
            if (Files.exists(Path.of(require).resolve(file)) || Files.exists(Path.of(file))) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        file + " is not read yet: give queues and concurrency with -q and -c");
            }
        }
    }

    private int slots() {
        if (concurrency != null) {
            return concurrency;
        }
        String threads = environment.getOrDefault("RAILS_MAX_THREADS", "");
        if (threads.isEmpty()) {
            return CONCURRENCY_DEFAULT;
        }
        try {
            return Integer.parseInt(threads);
        } catch (NumberFormatException _) {
            throw new WrongUse("RAILS_MAX_THREADS is \"" + threads + "\", must be a number");
        }
    }

    private static Duration seconds(String flag, double seconds) {
        if (!(seconds >= 0 && seconds <= 1_000_000)) {
            throw new WrongUse(flag + " " + seconds + " is not a number of seconds");
        }
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    private String directoryName() {
        Path directory = Path.of(require).toAbsolutePath().normalize();
        Path app = require.endsWith(".rb") ? directory.getParent() : directory;
        Path name = app == null ? null : app.getFileName();
        return name == null ? "" : name.toString();
    }
}
