package dev.mawashi.embedded;

import dev.mawashi.lifecycle.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A Redis or Valkey server of our own, as a child process that ends with this one.
///
/// It listens on 127.0.0.1 only, with a random password that is given to it on its standard input
/// and never on its command line. It writes every change to its log file before it answers, and
/// flushes the file once a second. So data survives the death of the server; the death of the
/// machine costs the last second. It never evicts a key.
public final class EmbeddedRedis implements Service {
    /// Stands for any free port.
    public static final int ANY_PORT = 0;

    private static final int ATTEMPTS_MAX = 5;
    private static final int PROBE_MS = 10;
    private static final int PROBES_MAX = 60_000;

    private final Supplier<DataDirectory> data;
    private final int wantedPort;
    private final Map<String, String> environment;
    private final boolean isNode;
    private @Nullable Running running;

    /// Everything that exists between start and stop.
    private record Running(DataDirectory data, Supervisor supervisor, int port, String version) {}

    EmbeddedRedis(Supplier<DataDirectory> data, int port, Map<String, String> environment) {
        this(data, port, environment, false);
    }

    private EmbeddedRedis(
            Supplier<DataDirectory> data,
            int port,
            Map<String, String> environment,
            boolean isNode) {
        this.data = data;
        this.wantedPort = port;
        this.environment = Map.copyOf(environment);
        this.isNode = isNode;
    }

    /// A server on a free port, whose data is deleted when it stops.
    ///
    /// @param environment `PATH` is searched for a server, `XDG_CACHE_HOME` and `HOME` say where
    ///   the bundled one is unpacked to, `TMPDIR` where the data is
    public static EmbeddedRedis temporary(Map<String, String> environment) {
        return new EmbeddedRedis(() -> DataDirectory.temporary(environment), ANY_PORT, environment);
    }

    /// As `temporary`, the node of a Cluster that has no slots yet.
    public static EmbeddedRedis temporaryNode(Map<String, String> environment) {
        return new EmbeddedRedis(
                () -> DataDirectory.temporary(environment), ANY_PORT, environment, true);
    }

    /// A server whose data and password stay in `directory` when it stops.
    ///
    /// @param port where it listens, or [#ANY_PORT]
    public static EmbeddedRedis keptIn(Path directory, int port, Map<String, String> environment) {
        return new EmbeddedRedis(() -> DataDirectory.kept(directory), port, environment);
    }

    /// Returns when the server answers.
    ///
    /// @throws EmbeddedRedisFailure with one line for the operator
    @Override
    public synchronized void start() {
        if (running != null) {
            throw new IllegalStateException("started already on port " + running.port());
        }
        DataDirectory directory = data.get();
        try {
            directory.endLeftover();
            SearchPath path = SearchPath.of(environment.getOrDefault("PATH", ""));
            RedisBinary binary =
                    RedisBinary.find(path, Bundle.forThisSystem(environment, directory.path()));
            running = startedOnSomePort(directory, binary, Tether.found(path));
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /// Where it answers, with the password: `redis://default:secret@127.0.0.1:6379/0`.
    public synchronized URI url() {
        Running server = required();
        return URI.create(
                "redis://default:"
                        + server.data().password()
                        + "@127.0.0.1:"
                        + server.port()
                        + "/0");
    }

    public synchronized int port() {
        return required().port();
    }

    /// The server's version, such as `7.0.15`.
    public synchronized String version() {
        return required().version();
    }

    public synchronized Path directory() {
        return required().data().path();
    }

    @Override
    public synchronized void stop(Duration patience) {
        @Nullable Running server = running;
        if (server != null) {
            running = null;
            server.supervisor().stop(patience);
            server.data().close();
        }
    }

    /// Another process may take a free port before the server does; then the next one is tried.
    private Running startedOnSomePort(DataDirectory directory, RedisBinary binary, Tether tether) {
        for (int attempt = 1; ; attempt++) {
            int port = freePort(wantedPort);
            Supervisor supervisor =
                    new Supervisor(() ->
                            launch(directory, binary, tether, config(directory, port, isNode)));
            if (isReady(supervisor, directory, port)) {
                return new Running(directory, supervisor, port, binary.version());
            }
            supervisor.stop(Duration.ZERO);
            String log = lastLine(directory);
            if (wantedPort != ANY_PORT || attempt == ATTEMPTS_MAX || !log.contains("in use")) {
                throw new EmbeddedRedisFailure(
                        binary.path()
                                + " did not start (its log is in "
                                + directory.path()
                                + "): "
                                + log);
            }
        }
    }

    private static Supervisor.Child launch(
            DataDirectory directory, RedisBinary binary, Tether tether, String config)
            throws IOException {
        Process server =
                new ProcessBuilder(tether.command(binary.path(), "-"))
                        .directory(directory.path().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.path().resolve("redis.log").toFile())
                        .start();
        Optional<Process> watch = tether.watch(server);
        directory.record(server.toHandle());
        try (OutputStream input = server.getOutputStream()) {
            input.write(config.getBytes(StandardCharsets.UTF_8));
        }
        return new Supervisor.Child(server, watch);
    }

    private static String config(DataDirectory directory, int port, boolean isNode) {
        return """
        bind 127.0.0.1
        port %s
        requirepass %s
        appendonly yes
        appendfsync everysec
        save ""
        maxmemory-policy noeviction
        daemonize no
        supervised no
        """
                        .formatted(port, directory.password())
                + (isNode ? "cluster-enabled yes\ncluster-port " + freePort(ANY_PORT) : "");
    }

    /// Waits until the server answers; false when it ended or never did.
    private static boolean isReady(Supervisor supervisor, DataDirectory directory, int port) {
        try {
            Process server = supervisor.start();
            ReadinessProbe probe = new ReadinessProbe(port, directory.password());
            for (int i = 0; i < PROBES_MAX && !probe.isAnswered(); i++) {
                if (server.waitFor(PROBE_MS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
            }
            return server.isAlive();
        } catch (IOException e) {
            throw new EmbeddedRedisFailure("cannot start the bundled Redis: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedRedisFailure("interrupted while the bundled Redis started", e);
        }
    }

    private static int freePort(int wanted) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), wanted));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedRedisFailure(
                    "port "
                            + wanted
                            + " is in use: stop what listens there, or choose another"
                            + " with --port",
                    e);
        }
    }

    private static String lastLine(DataDirectory directory) {
        try {
            List<String> lines = Files.readAllLines(directory.path().resolve("redis.log"));
            return lines.isEmpty() ? "it wrote no log" : lines.getLast();
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    private Running required() {
        if (running == null) {
            throw new IllegalStateException("the bundled Redis is not running");
        }
        return running;
    }
}
