package dev.mawashi.bench.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The PostgreSQL of a benchmark: the machine's newest, a server of its own on the loopback with
/// Debian's settings, the same one for everybody. Its one user is `bench`, without a password.
public final class BenchPostgres implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final int LOOKS = 300;
    private static final int LOOK_MS = 100;
    private static final int CONNECTIONS = 500;

    private final Path programs;
    private final Path folder;
    private final int port;
    private final Process server;

    /// Why this machine has none; empty when it has.
    public static Optional<String> missing() {
        return newest().isPresent()
                ? Optional.empty()
                : Optional.of("there is no PostgreSQL (apt install postgresql)");
    }

    /// Starts one in a folder that it makes.
    ///
    /// @throws BenchFailure when it does not start
    public static BenchPostgres start() throws InterruptedException {
        Path programs = newest().orElseThrow(() -> new BenchFailure(missing().orElseThrow()));
        try {
            // PostgreSQL refuses to be root, and must reach its folder as the user that it is.
            Path folder = Files.createTempDirectory("mawashi-bench-postgres-");
            if (isRoot()) {
                Programs.output(List.of("chown", "postgres", folder.toString()));
            }
            return new BenchPostgres(programs, folder, freePort());
        } catch (IOException e) {
            throw new BenchFailure("cannot start PostgreSQL: " + e.getMessage(), e);
        }
    }

    private BenchPostgres(Path programs, Path folder, int port)
            throws IOException, InterruptedException {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
        String data = folder.resolve("data").toString();
        Programs.output(program("initdb", "-D", data, "-A", "trust", "-U", "bench"));
        List<String> command = new ArrayList<>(Programs.tether());
        command.addAll(program("postgres", "-D", data, "-k", folder.toString()));
        command.addAll(List.of("-c", "listen_addresses=127.0.0.1", "-c", "port=" + port));
        command.addAll(List.of("-c", "max_connections=" + CONNECTIONS));
        server =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log().toFile())
                        .start();
        awaitReady();
    }

    private void awaitReady() throws InterruptedException {
        for (int look = 0; look < LOOKS; look++) {
            if (server.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                break;
            }
            String answer = Programs.firstLine(client("pg_isready").toArray(String[]::new));
            if (answer.endsWith("accepting connections")) {
                return;
            }
        }
        server.destroyForcibly();
        throw new BenchFailure("PostgreSQL does not start, see " + log());
    }

    /// Where it answers, as Sequel takes it.
    public String url() {
        return "postgres://bench@127.0.0.1:" + port + "/postgres";
    }

    /// What it is, such as `PostgreSQL 15.14`.
    public String description() {
        return Programs.firstLine(programs.resolve("postgres").toString(), "--version")
                .replace("postgres (PostgreSQL)", "PostgreSQL");
    }

    /// Runs SQL, and returns what it prints, a row a line.
    public String sql(String text) throws InterruptedException {
        List<String> command = new ArrayList<>(client("psql"));
        command.addAll(List.of("-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", "postgres"));
        command.addAll(List.of("-c", text));
        return Programs.output(command).strip();
    }

    private List<String> client(String name) {
        String path = programs.resolve(name).toString();
        return List.of(path, "-h", "127.0.0.1", "-p", Integer.toString(port), "-U", "bench");
    }

    private List<String> program(String name, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres"));
            command.add("--clear-groups");
        }
        command.add(programs.resolve(name).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Optional<Path> newest() {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(VERSIONS)) {
            return found.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
                    .max(Comparator.comparingDouble(BenchPostgres::version));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static double version(Path programs) {
        return Double.parseDouble(programs.getName(VERSIONS.getNameCount()).toString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private Path log() {
        return folder.resolve("log");
    }

    @Override
    public void close() {
        Programs.end(server, STOP_PATIENCE);
        BenchFolder.delete(folder);
    }
}
