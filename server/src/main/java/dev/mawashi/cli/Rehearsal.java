package dev.mawashi.cli;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.NewJob;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.server.Logging;
import dev.mawashi.server.Server;
import dev.mawashi.server.ServerSettings;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// The rehearsal of which the JVM takes notes for later starts, for `./mawashi prepare`: commands,
/// or a server that runs jobs of the demo's app, on JRuby or in children, on a private Redis.
final class Rehearsal {
    private static final int JOBS = 20_000;
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final PrintWriter NOWHERE = new PrintWriter(PrintWriter.nullWriter());

    private Rehearsal() {}

    /// @param arguments `commands`, `run` or `children`
    public static void main(String[] arguments) {
        Logging.to(System.err, System.Logger.Level.WARNING, false);
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        System.exit(rehearse(arguments[0], redis) ? Main.DONE : Main.FAILED);
    }

    /// @return whether all of it ended well
    static boolean rehearse(String what, EmbeddedRedis redis) {
        redis.start();
        try {
            return switch (what) {
                case "run" -> serve(redis, RunnerKind.JRUBY);
                case "children" -> serve(redis, RunnerKind.MRI);
                default -> callCommands(redis);
            };
        } finally {
            redis.stop(PATIENCE);
        }
    }

    private static boolean callCommands(EmbeddedRedis redis) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("REDIS_URL", redis.url().toString());
        return Stream.of(
                        "push Hello::Plain \"world\"",
                        "push Hello::Plain \"world\" --in 1h",
                        "stats",
                        "stats --json",
                        "queues",
                        "queues --json",
                        "processes",
                        "processes --json",
                        "scheduled",
                        "scheduled --json",
                        "retries",
                        "dead",
                        "busy",
                        "failed",
                        "version",
                        "--help")
                .map(line -> Main.run(List.of(line.split(" ")), environment, NOWHERE, NOWHERE))
                .allMatch(code -> code == Main.DONE);
    }

    private static boolean serve(EmbeddedRedis redis, RunnerKind runner) {
        // The parser of the command line.
        Main.run(List.of("run", "--help"), System.getenv(), NOWHERE, NOWHERE);
        ServerSettings settings = DemoCommand.settings(redis, DemoCommand.app(), null, runner);
        Server server = new Server(settings, System.getenv());
        try {
            return server.start(_ -> {}) && work(redis, server);
        } finally {
            server.stop();
        }
    }

    private static boolean work(EmbeddedRedis redis, Server server) {
        RedisBroker broker = new RedisBroker(DemoCommand.address(redis), DeadLimits.DEFAULT);
        PayloadForm form = new PayloadForm(InstantSource.system(), new SecureRandom());
        try (Client client = new Client(broker.enqueuing())) {
            List<NewJob> jobs =
                    Stream.generate(() -> form.job("Hello::Plain", "default", "[\"world\"]", null))
                            .limit(JOBS)
                            .toList();
            client.enqueue(jobs);
        }
        long began = System.nanoTime();
        while (server.ended() < JOBS && System.nanoTime() - began < LIMIT_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return server.ended() >= JOBS;
    }
}
