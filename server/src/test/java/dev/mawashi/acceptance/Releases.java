package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// An app in releases, with a link to the present one, as deploy tools have it. Its jobs note which
/// release they run.
final class Releases {
    private static final String JOBS =
            """
            require "sidekiq"
            require %s

            RELEASE = "%d"

            class CodeJob
              include defined?(Sidekiq::Job) ? Sidekiq::Job : Sidekiq::Worker

              def perform(gate = nil)
                Ledger.note("start", jid, "CodeJob", RELEASE)
                Ledger.pass(gate) if gate
                Ledger.note("end", jid, "CodeJob", RELEASE)
              end
            end
            """;

    private final Workplace place;
    private final Path app;
    private int last;

    /// Makes the first release.
    ///
    /// @param more Ruby for the end of its file
    Releases(Workplace place, String more) {
        this.place = place;
        app = place.folder().resolve("app");
        release(more);
    }

    /// Makes a release and has the link lead to it.
    ///
    /// @param more Ruby for the end of its file
    void release(String more) {
        last++;
        try {
            Path folder = Files.createDirectories(app.resolve("releases/" + last + "/config"));
            String ledger = "\"" + Programs.SCRIPTS.resolve("ledger.rb") + "\"";
            String jobs = JOBS.formatted(ledger, last) + more + "\n";
            Files.writeString(folder.resolveSibling("jobs.rb"), jobs, UTF_8);
            Path link = app.resolve("new");
            Files.createSymbolicLink(link, app.resolve("releases/" + last));
            Files.move(link, app.resolve("current"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sets what counts for a server that is started in this release.
    void config(String yaml) {
        try {
            Files.writeString(app.resolve("current/config/mawashi.yml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a server in the folder that the link names.
    Child server(String... flags) {
        return serverOf("", flags);
    }

    /// The same on a host of this name; "" for this machine's.
    Child serverOf(String host, String... flags) {
        return start(host.isEmpty() ? Map.of() : Map.of("DYNO", host), command(flags));
    }

    /// The same with more variables.
    Child serverWith(Map<String, String> environment, String... flags) {
        return start(environment, command(flags));
    }

    /// The same with a class path that leads nowhere from another folder.
    Child serverOnItsOwnPath(String... flags) {
        List<String> command = command(flags);
        int at = command.indexOf("-cp") + 1;
        command.set(at, command.get(at).replaceAll("(^|:)/", "$1here/"));
        try {
            Files.createSymbolicLink(app.resolve("current/here"), Path.of("/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return start(Map.of(), command);
    }

    private static List<String> command(String... flags) {
        List<String> words = new ArrayList<>(List.of("run", "-r", "./jobs.rb"));
        words.addAll(List.of("--lease", "2", "--sweep", "0.5"));
        words.addAll(List.of(flags));
        return Programs.mawashiCommand(words.toArray(String[]::new));
    }

    private Child start(Map<String, String> environment, List<String> server) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "cd \"$APP\" && exec \"$@\""));
        command.add("sh");
        command.addAll(server);
        Map<String, String> named = new HashMap<>(environment);
        named.put("APP", app.resolve("current").toString());
        named.put("TMPDIR", temporary().toString());
        return place.start("mawashi", command, named).awaitLog("working on");
    }

    /// Runs `mawashi restart` to its end.
    ///
    /// @param exit its status
    static Child restart(Workplace place, int exit, String... words) {
        List<String> command = new ArrayList<>(List.of("restart"));
        command.addAll(List.of(words));
        Child restart = place.mawashi(Map.of(), command.toArray(String[]::new));
        assertThat(restart.awaitExit()).as(restart::log).isEqualTo(exit);
        return restart;
    }

    private Path temporary() {
        try {
            return Files.createDirectories(place.folder().resolve("tmp"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the server has in its folder for files and holds open, in numbers: folders of sockets,
    /// notes of processes, open files.
    List<Long> held(Child server) {
        try (Stream<Path> files = Files.walk(temporary());
                Stream<Path> open = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            return List.of(
                    names.stream().filter(name -> name.matches("link(-\\d+)?")).count(),
                    names.stream().filter(name -> name.startsWith("process-")).count(),
                    open.count());
        } catch (IOException | UncheckedIOException _) {
            // Something went while it was looked at.
            return List.of();
        }
    }

    /// The names of those files, for messages.
    String files() {
        try (Stream<Path> files = Files.walk(temporary())) {
            return files.toList().toString();
        } catch (IOException | UncheckedIOException gone) {
            return gone.toString();
        }
    }

    /// How often jobs of a release came to a step.
    long count(String step, int release) {
        return place.ledger().lines(step).stream()
                .filter(line -> line.rest().equals("" + release))
                .count();
    }
}
