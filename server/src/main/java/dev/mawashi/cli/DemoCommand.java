package dev.mawashi.cli;

import dev.mawashi.config.RunnerChoice;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.server.Listening;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Server;
import dev.mawashi.server.ServerSettings;
import dev.mawashi.server.Signals;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `mawashi demo`.
@Command(
        name = "demo",
        description = "Shows Mawashi at work: a private Redis, a small app, some 20,000 jobs.",
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi demo"})
final class DemoCommand implements Callable<Integer> {
    private static final int SLOTS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    DemoCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        // Jobs of the demo fail on purpose, and its table counts them.
        Logging.to(System.err, System.Logger.Level.ERROR, Logging.isColourWanted(environment));
        Path app = app();
        long began = System.nanoTime();
        EmbeddedRedis redis = EmbeddedRedis.temporary(environment);
        redis.start();
        Server server = new Server(settings(redis, app), environment);
        Signals signals = Signals.install(server);
        try {
            out.printf(
                    "A private Redis %s, the app %s, %s slots.%n",
                    redis.version(), shown(app), SLOTS);
            out.printf("Starting Ruby and loading the app ...%n");
            out.flush();
            if (!server.start(signals::raiseFromPage)) {
                return Main.FAILED;
            }
            double bootSeconds = (System.nanoTime() - began) / 1e9;
            DemoRun run = new DemoRun(address(redis), server, signals, spec.commandLine().getErr());
            return run.print(out, bootSeconds);
        } finally {
            server.stop();
            redis.stop(PATIENCE);
        }
    }

    static RedisAddress address(EmbeddedRedis redis) {
        return RedisAddress.parse(redis.url().toString());
    }

    static ServerSettings settings(EmbeddedRedis redis, Path app) {
        AppFlags flags =
                new AppFlags(app.toString(), "", "demo", "demo", SLOTS, 0.0, new LinkedHashMap<>());
        LeaseSettings lease = new LeaseSettings(LeaseSettings.LENGTH, LeaseSettings.SWEEP);
        return new ServerSettings(
                address(redis),
                flags,
                RunnerChoice.of(RunnerKind.JRUBY),
                null,
                "demo",
                lease,
                Listening.NOWHERE,
                false,
                false);
    }

    static Path app() {
        Path home = Path.of(System.getProperty("mawashi.home", "."));
        Path app = home.resolve("examples/hello/hello.rb");
        if (!Files.isReadable(app)) {
            throw new CommandFailure(
                    app + " is missing: call the mawashi script of a checkout or a release");
        }
        return app;
    }

    /// How this command is called: by its path in a checkout, by its name where it is installed.
    static String command() {
        Path home = Path.of(System.getProperty("mawashi.home", "."));
        return Files.exists(home.resolve("pom.xml")) ? "./mawashi" : "mawashi";
    }

    private static String shown(Path app) {
        Path here = Path.of("").toAbsolutePath();
        Path absolute = app.toAbsolutePath().normalize();
        return absolute.startsWith(here) ? here.relativize(absolute).toString() : app.toString();
    }
}
