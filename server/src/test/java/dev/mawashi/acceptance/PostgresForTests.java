package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.HeldPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A real PostgreSQL of a test's own, on a private socket, in a directory that is removed with it.
/// Its one user is `bank`, without a password.
final class PostgresForTests implements AutoCloseable {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    /// Part of a socket's name, where a client does not say another.
    private static final int USUAL_PORT = 5432;

    private final Path folder;
    private final HeldPort held = new HeldPort();
    private final int port;
    private final Path log;
    private final Process process;

    /// One without a port.
    PostgresForTests() throws IOException {
        this("");
    }

    /// One that JDBC can reach, which knows no sockets but those of TCP.
    static PostgresForTests onPort() throws IOException {
        return new PostgresForTests("127.0.0.1");
    }

    /// @param address where it listens besides its socket; "" for nowhere
    private PostgresForTests(String address) throws IOException {
        port = address.isEmpty() ? USUAL_PORT : held.number();
        folder = Files.createTempDirectory("mawashi-postgres-");
        log = folder.resolve("log");
        if (isRoot()) {
            run(List.of("chown", "postgres", folder.toString()));
        }
        String data = folder.resolve("data").toString();
        // The same in whatever locale this runs.
        String[] words = {
            "-D", data, "-A", "trust", "-U", "bank", "-E", "UTF8", "--no-locale", "--no-sync"
        };
        run(program("initdb", words));
        process =
                start(
                        program(
                                "postgres",
                                "-D",
                                data,
                                "-k",
                                folder.toString(),
                                "-c",
                                "listen_addresses=" + address,
                                "-c",
                                "port=" + port,
                                "-c",
                                "fsync=off"));
        Eventually.until("PostgreSQL answers", Child.LIMIT, this::isReady);
    }

    /// Where its socket is.
    Path folder() {
        return folder;
    }

    /// Makes a database.
    ///
    /// @return its URL, for one with a port
    String create(String name) throws IOException {
        run(program("createdb", "-h", folder.toString(), "-p", "" + port, "-U", "bank", name));
        return "postgres://bank@127.0.0.1:" + port + "/" + name;
    }

    /// PostgreSQL refuses to be root.
    private static List<String> program(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres"));
            command.add("--clear-groups");
        }
        command.add(newest().resolve("bin").resolve(name).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path newest() throws IOException {
        try (Stream<Path> found = Files.list(VERSIONS)) {
            return found.max((a, b) ->
                            Integer.compare(
                                    Integer.parseInt(a.getFileName().toString()),
                                    Integer.parseInt(b.getFileName().toString())))
                    .orElseThrow();
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new AssertionError("PostgreSQL has ended:\n" + log());
        }
        try {
            return start(program("pg_isready", "-h", folder.toString(), "-p", "" + port)).waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void run(List<String> command) throws IOException {
        try {
            assertThat(start(command).waitFor()).as(this::log).isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy(); // Its own fast shutdown comes by INT; TERM waits for clients, who are
        // gone.
        process.onExit().join();
        held.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
    }
}
