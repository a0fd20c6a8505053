package dev.mawashi.cli;

import dev.mawashi.embedded.EmbeddedRedis;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `mawashi redis`.
@Command(
        name = "redis",
        description = "Runs a Redis for development, until Ctrl-C. Its data and its URL stay.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  mawashi redis",
            "  mawashi redis --port 6400 --dir tmp/redis",
        })
final class RedisCommand implements Callable<Integer> {
    private static final int PORT_DEFAULT = 6379;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<String, String> environment;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Its port on 127.0.0.1, 0 for any free one (6379).")
    private int port = PORT_DEFAULT;

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "The folder of its data (~/.local/share/mawashi/redis).")
    private @Nullable Path directory;

    RedisCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > 65_535) {
            throw new WrongUse("--port " + port + " is no port: choose one of 1 to 65535, or 0");
        }
        EmbeddedRedis redis = EmbeddedRedis.keptIn(folder(), port, environment);
        redis.start();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("mawashi-stop-1")
                                .unstarted(() -> stop(redis, stopped)));
        print(redis);
        stopped.await();
        return Main.DONE;
    }

    /// INT and TERM are how this command ends, so the JVM's own 130 or 143 is replaced by 0.
    private static void stop(EmbeddedRedis redis, CountDownLatch stopped) {
        redis.stop(PATIENCE);
        stopped.countDown();
        Runtime.getRuntime().halt(Main.DONE);
    }

    private void print(EmbeddedRedis redis) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("export REDIS_URL=%s%n%n", redis.url());
        out.printf("Redis %s answers there, data in %s.%n", redis.version(), redis.directory());
        out.printf("Give that line to the shell of the app and of mawashi run. Ctrl-C stops it.%n");
        out.flush();
    }

    private Path folder() {
        if (directory != null) {
            return directory.toAbsolutePath();
        }
        Path data = Path.of(environment.getOrDefault("XDG_DATA_HOME", ""));
        if (data.isAbsolute()) {
            return data.resolve("mawashi/redis");
        }
        Path home = Path.of(environment.getOrDefault("HOME", ""));
        if (!home.isAbsolute()) {
            throw new WrongUse("HOME is not set: name a folder for the data with --dir");
        }
        return home.resolve(".local/share/mawashi/redis");
    }
}
