package dev.mawashi.cli;

import dev.mawashi.config.ConfigFailure;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.server.ResqueSettings;
import dev.mawashi.server.ServerSettings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags of `mawashi run`, which `mawashi config` takes too: what a server is to do. They throw
/// `WrongUse`, `CommandFailure` or `ConfigFailure` for what cannot be followed.
final class RunOptions {
    /// Set by systemd when it starts a service again to find out why it failed.
    private static final String DEBUG_INVOCATION = "DEBUG_INVOCATION";

    private static final System.Logger LOG = System.getLogger(RunOptions.class.getName());

    @Mixin private RedisOption redis = new RedisOption();

    @Mixin private RunnerOption runner = new RunnerOption();

    @Mixin private ListenOption listen = new ListenOption();

    @Mixin private ResqueOption resque = new ResqueOption();

    @Option(
            names = {"-r", "--require"},
            paramLabel = "PATH",
            description = "A Ruby file with the jobs, or the directory of a Rails app (.).")
    private @Nullable String require;

    @Option(
            names = {"-C", "--config"},
            paramLabel = "FILE",
            description =
                    "The app's config file (config/sidekiq.yml or .yml.erb in the directory of the"
                            + " app, otherwise in this one). Flags win over it.")
    private @Nullable String configFile;

    @Option(
            names = {"-q", "--queue"},
            paramLabel = "NAME[,WEIGHT]",
            description =
                    "A queue (default); repeat it for more. Without weights the order is strict;"
                            + " with weights each claim draws it.")
    private List<String> queues = new ArrayList<>();

    @Option(
            names = {"-c", "--concurrency"},
            paramLabel = "N",
            description =
                    "Jobs that run at once (RAILS_MAX_THREADS, otherwise the default of the app's"
                            + " Sidekiq: 10, from version 7 on 5).")
    private @Nullable Integer concurrency;

    @Option(
            names = {"-e", "--environment"},
            paramLabel = "NAME",
            description = "Environment of the app (APP_ENV, RAILS_ENV, RACK_ENV, development).")
    private @Nullable String appEnvironment;

    @Option(
            names = {"-g", "--tag"},
            paramLabel = "TAG",
            description =
                    "The text that Sidekiq's page shows beside the process (the app's"
                            + " directory).")
    private @Nullable String tag;

    @Option(
            names = {"-t", "--timeout"},
            paramLabel = "SECONDS",
            description = "Time that running jobs get after TERM or INT (25).")
    private @Nullable Double timeoutSeconds;

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
            description = "Time between two searches for dead processes (15, at least 0.1).")
    private double sweepSeconds = LeaseSettings.SWEEP.toSeconds();

    @Option(
            names = "--strict",
            description =
                    "Does not start on a Redis that could lose more than the last two seconds, or"
                            + " throw jobs away: it must have appendonly yes, appendfsync everysec"
                            + " or always, and maxmemory-policy noeviction.")
    private boolean isStrict;

    @Option(
            names = "--accept",
            paramLabel = "NAME",
            description =
                    "Starts although the app relies on this gem or field, which does not work here"
                            + " (sidekiq-throttled, encrypt and others; a stopped start names it).")
    private List<String> accepted = new ArrayList<>();

    @Option(
            names = {"-v", "--verbose"},
            description = "Logs more, in the app too: its logger starts at level DEBUG.")
    private boolean isVerbose;

    /// Whether `mawashi.yml` was there when it was read last.
    private volatile boolean isFileThere;

    /// Whether the app and the server are to log more.
    boolean isVerbose(Map<String, String> environment) {
        return isVerbose || "1".equals(environment.get(DEBUG_INVOCATION));
    }

    /// Chooses the runner, and knows why.
    RunnerOption runner() {
        return runner;
    }

    RedisOption redis() {
        return redis;
    }

    /// The contents of flags, variables and `config/mawashi.yml`, each part by itself.
    record Parts(AppFlags app, RunnerChoice runners, RedisAddress redis, LeaseSettings lease) {}

    /// @param isAlone whether another server starts this one, for suspects
    ServerSettings settings(Map<String, String> environment, LogOption log, boolean isAlone) {
        AppFlags app = app(environment, log, isAlone);
        LeaseSettings lease = lease();
        isFileThere = Files.exists(mawashiFile());
        Parts parts = new Parts(app, runners(environment), address(environment), lease);
        return settings(parts, environment, isAlone);
    }

    ServerSettings settings(Parts parts, Map<String, String> environment, boolean isAlone) {
        RunnerChoice runners = parts.runners();
        ResqueSettings resqueSide = resque.settings(runners, concurrency, environment);
        if (resqueSide != null && !parts.redis().namespace().isEmpty()) {
            throw new WrongUse(
                    redis.namespaceSource(environment)
                            + " is for Sidekiq's queues: have Resque's run in another server");
        }
        if (resqueSide != null && parts.redis().isCluster()) {
            throw new WrongUse(CommandContext.NO_RESQUE);
        }
        try {
            return new ServerSettings(
                    parts.redis(),
                    redis.source(environment),
                    parts.app().hidingArguments(!runners.redact().isEmpty()),
                    runners,
                    resqueSide,
                    DefaultTag.of(require, Path.of("")),
                    parts.lease(),
                    listen.settings(parts.redis(), resque.keys(runners), environment),
                    isAlone,
                    isStrict);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }

    /// The same settings with the contents that `mawashi.yml` has by now.
    ///
    /// @param folder the app's; "" for the one at hand
    /// @throws ConfigFailure when they cannot be followed
    ServerSettings again(ServerSettings before, Path folder, Map<String, String> environment) {
        String app = folder.resolve(Objects.requireNonNullElse(require, ".")).toString();
        String beside = configFile == null ? null : folder.resolve(configFile).toString();
        Path file = RunnerOption.file(Path.of(app), beside);
        if (isFileThere && !Files.exists(file)) {
            throw new ConfigFailure(
                    file + " is gone: put it back, or start the server anew without it");
        }
        try {
            RunnerChoice runners = runner.choose(app, beside, environment);
            Parts parts = new Parts(before.app(), runners, before.redis(), before.lease());
            ServerSettings now = settings(parts, environment, before.isAlone());
            isFileThere = Files.exists(file);
            return now;
        } catch (WrongUse | CommandFailure wrong) {
            throw new ConfigFailure(String.valueOf(wrong.getMessage()));
        }
    }

    /// The app's folder or file.
    Path app() {
        return Path.of(Objects.requireNonNullElse(require, "."));
    }

    /// The file `mawashi.yml` that counts, be it there or not.
    Path mawashiFile() {
        return RunnerOption.file(app(), configFile);
    }

    RunnerChoice runners(Map<String, String> environment) {
        return runner.choose(require, configFile, environment);
    }

    LeaseSettings lease() {
        try {
            return new LeaseSettings(
                    seconds("--lease", leaseSeconds), seconds("--sweep", sweepSeconds));
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }

    AppFlags app(Map<String, String> environment, LogOption log, boolean isAlone) {
        if (concurrency != null && (concurrency < 1 || concurrency > CapsuleSettings.SLOTS_MAX)) {
            throw new WrongUse(
                    "concurrency is "
                            + concurrency
                            + ", must be 1 to "
                            + CapsuleSettings.SLOTS_MAX);
        }
        checkApp();
        if (timeoutSeconds != null) {
            seconds("--timeout", timeoutSeconds);
        }
        return new AppFlags(
                require,
                configFile,
                appEnvironment,
                tag,
                concurrency,
                timeoutSeconds,
                weights(),
                isVerbose(environment),
                log.isJson(environment),
                accepted,
                isAlone,
                false);
    }

    RedisAddress address(Map<String, String> environment) {
        RedisAddress address = redis.address(environment);
        if (redis.showsPassword(address)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "all users of this machine see the password in --redis (ps): put the URL"
                            + " into REDIS_URL, or into the file that REDIS_URL_FILE names");
        }
        if (address.isUnverified()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the certificate of Redis is not verified (verify_mode=none in its URL):"
                            + " whoever is between can read and change all");
        }
        return address;
    }

    /// Checks that the app exists: Ruby would report the same, but only after a second for Redis
    /// and Ruby.
    private void checkApp() {
        File file = require == null ? new File(".") : new File(require);
        // Ruby would read from a pipe without end.
        if (file.exists() && !file.isFile() && !file.isDirectory()) {
            throw new CommandFailure("cannot load " + require + ": it is no file and no directory");
        }
        if (!file.exists()) {
            throw new CommandFailure(
                    "cannot load "
                            + require
                            + ": there is no file or directory "
                            + require
                            + " (set it with -r)");
        }
    }

    private SequencedMap<String, Integer> weights() {
        SequencedMap<String, Integer> weights = new LinkedHashMap<>();
        for (String queue : queues) {
            String[] words = queue.split(",", -1);
            if (words.length > 2) {
                throw new WrongUse("-q " + queue + " is neither a name nor a name with its weight");
            }
            int weight = words.length == 1 ? 0 : weight(queue, words[1]);
            if (weights.put(words[0], weight) != null) {
                throw new WrongUse(
                        "-q names the queue \"" + words[0] + "\" twice: give it a weight instead");
            }
        }
        try {
            return weights.isEmpty() ? weights : new QueueOrder(weights).weights();
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse("-q: " + wrong.getMessage());
        }
    }

    private static int weight(String queue, String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException _) {
            throw new WrongUse("-q " + queue + ": the weight \"" + word + "\" is no whole number");
        }
    }

    private static Duration seconds(String flag, double seconds) {
        if (!(seconds >= 0 && seconds <= 1_000_000)) {
            throw new WrongUse(flag + " " + seconds + " is not a number of seconds");
        }
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }
}
