package dev.mawashi.cli;

import dev.mawashi.config.RunnerChoice;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.http.Access;
import dev.mawashi.presence.LeaseSettings;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.ruby.AppFlags;
import dev.mawashi.server.Listening;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Server;
import dev.mawashi.server.ServerSettings;
import dev.mawashi.server.Signals;
import dev.mawashi.web.WebSettings;
import dev.mawashi.wire.ResqueKeys;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi demo`.
@Command(
        name = "demo",
        description = "Shows Mawashi at work: a private Redis, a small app, some 20,000 jobs.",
        footerHeading = "%nExamples:%n",
        footer = {"  mawashi demo", "  mawashi demo --web"})
final class DemoCommand implements Callable<Integer> {
    private static final int SLOTS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--web",
            arity = "0..1",
            fallbackValue = "7433",
            paramLabel = "[HOST:]PORT",
            description =
                    "Serves the page, also after the demo until Ctrl-C, with jobs that come and go"
                            + " (127.0.0.1:7433).")
    private @Nullable String web;

    DemoCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        // Jobs of the demo fail on purpose, and its table counts them.
        Logging.to(System.err, System.Logger.Level.ERROR, Logging.isColourWanted(environment));
        Path app = app();
        Access access = access();
        long began = System.nanoTime();
        EmbeddedRedis redis = EmbeddedRedis.temporary(environment);
        redis.start();
        Server server = new Server(settings(redis, app, access, RunnerKind.JRUBY), environment);
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
            out.printf("They are up. Running some 20,000 jobs, about 10 s ...%n");
            out.flush();
            DemoRun run = new DemoRun(address(redis), server, signals, spec.commandLine().getErr());
            int code = run.print(out, bootSeconds);
            if (access != null && !signals.isStopAsked()) {
                new DemoPage(address(redis), signals).show(out, server.page());
            }
            return code;
        } finally {
            server.stop();
            redis.stop(PATIENCE);
        }
    }

    static RedisAddress address(EmbeddedRedis redis) {
        return RedisAddress.parse(redis.url().toString());
    }

    private @Nullable Access access() {
        try {
            return web == null ? null : Access.guarded(web, environment);
        } catch (IllegalArgumentException wrong) {
            throw new WrongUse(String.valueOf(wrong.getMessage()));
        }
    }

    /// @param access where to serve the page; null for nowhere
    static ServerSettings settings(
            EmbeddedRedis redis, Path app, @Nullable Access access, RunnerKind runner) {
        Path loaded = access == null ? app : app.resolveSibling("page.rb");
        SequencedMap<String, Integer> queues =
                access == null ? new LinkedHashMap<>() : DemoPage.queues();
        AppFlags flags = new AppFlags(loaded.toString(), "", "demo", "demo", SLOTS, 0.0, queues);
        LeaseSettings lease = new LeaseSettings(LeaseSettings.LENGTH, LeaseSettings.SWEEP);
        return new ServerSettings(
                address(redis),
                ServerSettings.REDIS_FLAG,
                flags,
                RunnerChoice.of(runner),
                null,
                "demo",
                lease,
                access == null ? Listening.NOWHERE : page(redis, access),
                false,
                false);
    }

    private static Listening page(EmbeddedRedis redis, Access access) {
        String version = Version.ofThisBuild().mawashi();
        return new Listening(
                null, new WebSettings(access, address(redis), ResqueKeys.DEFAULT, version));
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
