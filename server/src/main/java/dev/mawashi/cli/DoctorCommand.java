package dev.mawashi.cli;

import dev.mawashi.config.RunnerKind;
import dev.mawashi.doctor.BootFindings;
import dev.mawashi.doctor.Examination;
import dev.mawashi.doctor.Examiner;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.RubySettings;
import dev.mawashi.server.MeetingPlace;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi doctor`.
@Command(
        name = "doctor",
        description = {
            "Says which runner each job class and gem of an app needs, and what else must change.",
            "It reads the app's code and Gemfile.lock, looks at this machine and Redis, and ends"
                    + " with a config/mawashi.yml. It changes nothing. Exits with 1 where"
                    + " something must change: a gem with which no server starts, a file that does"
                    + " not parse, a mistake in the settings, a Redis that is away or throws jobs"
                    + " away. A runner other than jruby is no reason.",
            "With --boot it also loads the app on JRuby, as a server does, beside a Redis that is"
                    + " thrown away, and names what fails, with the remedy. That runs the app's own"
                    + " code. An app that does not load is a reason for 1."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi doctor -r .",
            "  mawashi doctor -r . --boot",
            "  mawashi doctor -r . --app-only --json | jq '.classes[] | select(.runner != \"jruby\")'",
        })
final class DoctorCommand implements Callable<Integer> {
    private static final int BOOT_SECONDS = 120;
    private static final int BOOT_SECONDS_MAX = 3600;
    private static final String OWN_REDIS = "redis of the app";

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private RunOptions options = new RunOptions();

    @Mixin private LogOption log = new LogOption();

    @Option(
            names = "--app-only",
            description = "Looks at the app alone, not at this machine and Redis: for CI.")
    private boolean isAppOnly;

    @Option(
            names = "--json",
            description =
                    "One JSON object: app, classes (name, runner, reasons, file, line, queue,"
                            + " api), gems (name, version, runner, reason, source), findings,"
                            + " troubles, files, config, machine (check, grade, text, remedy),"
                            + " boot (loads, whole, faults), must_change.")
    private boolean isJson;

    @Option(
            names = "--boot",
            arity = "0..1",
            paramLabel = "SECONDS",
            fallbackValue = "" + BOOT_SECONDS,
            description =
                    "Loads the app on JRuby too, and stops waiting for one load after so many"
                            + " seconds (120).")
    private @Nullable Integer bootSeconds;

    @Option(names = "--trial", hidden = true, description = "How the doctor starts a boot.")
    private @Nullable Path trial;

    DoctorCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path start = options.app();
        if (!Files.exists(start)) {
            throw new WrongUse("there is no file or folder " + start + " (set it with -r)");
        }
        Path app = folder(start);
        Duration limit = limit();
        if (trial != null) {
            BootChild.run(rubySettings(), app, trial, limit);
        }
        Path gemfile = gemfile(app);
        // A file beside a Gemfile is an app's; any other stands for itself.
        boolean isAlone = !Files.isDirectory(start) && !Files.isRegularFile(app.resolve("Gemfile"));
        Examination examination =
                new Examiner(app, isAlone ? start : app, gemfile, context.environment()).examine();
        if (examination.files() == 0 && gemfile == null) {
            throw new WrongUse(
                    app + " holds no app: no Ruby file and no Gemfile (set its folder with -r)");
        }
        RedisAddress redis = isAppOnly ? null : address();
        TrialBoots boots = boots(app, redis);
        BootFindings boot = boots == null ? null : boots.run();
        List<MachineCheck> machine = new ArrayList<>();
        if (!isAppOnly) {
            RedisAddress taken = boots == null ? null : boots.taken();
            machine.addAll(machine(app, examination, taken == null ? redis : taken));
        }
        if (boots != null && redis != null && boots.canTell(redis)) {
            machine.add(ownRedis(boots, redis));
        }
        DoctorReport report = new DoctorReport(examination, machine, boot);
        PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(report.json());
        } else {
            report.print(out);
        }
        out.flush();
        return report.mustChange() ? Main.FAILED : Main.DONE;
    }

    private Duration limit() {
        int seconds = Objects.requireNonNullElse(bootSeconds, BOOT_SECONDS);
        if (seconds < 1 || seconds > BOOT_SECONDS_MAX) {
            throw new WrongUse("--boot is " + seconds + ", must be 1 to " + BOOT_SECONDS_MAX);
        }
        return Duration.ofSeconds(seconds);
    }

    /// Null where none is asked for.
    ///
    /// @param redis see `TrialBoots`
    private @Nullable TrialBoots boots(Path app, @Nullable RedisAddress redis) {
        if (bootSeconds == null) {
            return null;
        }
        RubySettings _ = rubySettings(); // Says what is wrong with a flag.
        List<String> words = spec.root().commandLine().getParseResult().originalArgs();
        String source = redis == null ? "" : options.redis().source(context.environment());
        return new TrialBoots(words, context.environment(), app, limit(), redis, source);
    }

    private MachineCheck ownRedis(TrialBoots boots, RedisAddress server) {
        String place = boots.own().describe();
        String namespace = boots.own().namespace();
        if (!namespace.equals(server.namespace())) {
            return MachineCheck.error(
                    OWN_REDIS,
                    "has another namespace",
                    MeetingPlace.namespaces(namespace, server.namespace()));
        }
        if (!boots.refusal().isEmpty()) {
            return MachineCheck.error(OWN_REDIS, "cannot be taken", boots.refusal());
        }
        String source = options.redis().source(context.environment());
        RedisAddress taken = boots.taken();
        if (taken != null) {
            String inPlace = ", in place of " + server + " (from " + source + ")";
            return MachineCheck.ok(OWN_REDIS, "is what mawashi run takes: " + taken + inPlace);
        }
        if (!boots.own().problem().isEmpty()) {
            return MachineCheck.warning(
                    OWN_REDIS,
                    "cannot be asked whether it is the server's: " + place,
                    "look at the app's config.redis");
        }
        if (boots.isElsewhere()) {
            return MachineCheck.warning(
                    OWN_REDIS,
                    "is another: " + place + ", the server's " + server + " (from " + source + ")",
                    options.redis().isGiven()
                            ? "leave --redis out, or give it the app's URL"
                            : "give mawashi run --redis and the app's URL, or put it into"
                                    + " REDIS_URL");
        }
        return MachineCheck.ok(OWN_REDIS, "is the server's");
    }

    /// Of a boot that enqueues nothing.
    private RubySettings rubySettings() {
        Map<String, String> environment = context.environment();
        return new RubySettings(
                options.app(environment, log, false),
                environment,
                environment.get("REDIS_URL"),
                environment.get(BootProcess.IDENTITY),
                null,
                _ -> {},
                _ -> List.of(),
                !options.redis().isGiven());
    }

    private static Path folder(Path start) {
        Path whole = start.toAbsolutePath().normalize();
        return Files.isDirectory(whole) ? whole : Objects.requireNonNull(whole.getParent());
    }

    /// The one that Bundler would use; null for none.
    private @Nullable Path gemfile(Path app) {
        String named = context.environment().getOrDefault("BUNDLE_GEMFILE", "");
        if (!named.isEmpty()) {
            return Path.of(named).toAbsolutePath();
        }
        return Stream.iterate(app, Objects::nonNull, Path::getParent)
                .map(folder -> folder.resolve("Gemfile"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    private List<MachineCheck> machine(
            Path app, Examination examination, @Nullable RedisAddress redis) {
        ConfigReading reading = new ConfigReading(options, log, context.environment());
        ConfigReading.Found found = reading.read(false);
        Set<RunnerKind> runners = EnumSet.noneOf(RunnerKind.class);
        RunnerKind.of(examination.otherwise().word()).ifPresent(runners::add);
        return new MachineChecks(reading, found, context.environment(), context.clock())
                .all(app, redis, runners);
    }

    /// Null where it has a mistake, which is among those of the settings.
    private @Nullable RedisAddress address() {
        try {
            return options.address(context.environment());
        } catch (WrongUse | CommandFailure _) {
            return null;
        }
    }
}
