package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Rails app in `examples/rails`, with ActiveRecord on SQLite: it enqueues with its own gems,
/// and its jobs change its database from MRI children.
@Tag("stack")
final class RailsIT {
    private static final Path EXAMPLE = Path.of("../examples/rails").toAbsolutePath().normalize();

    /// Leaves a connection open where the app is loaded, as many an app does.
    private static final String BOOT_QUERY =
            "Rails.application.config.after_initialize { Account.count }\n";

    private static final int POOL = 5;

    private static final String DONE =
            "select (select count(*) from transfers), (select count(*) from statements)";

    @TempDir Path folder;
    private Path app = Path.of("");

    @Test
    void jobsOfARailsAppChangeItsDatabaseFromChildren() throws IOException {
        app = Files.createDirectory(folder.resolve("app"));
        copy(EXAMPLE, app);
        try (Workplace place = new Workplace(folder)) {
            place.ruby("rails", "-C", app.toString(), "bin/rails", "db:setup", "bank:day");
            Files.writeString(app.resolve("config/initializers/query.rb"), BOOT_QUERY);
            List<byte[]> afterKill = takeHalf(place);
            Child server = place.mawashi(Map.of(), "run", "-r", app.toString(), "--processes", "2");
            awaitAll(place, server, 100);

            Set<ProcessHandle> first = awaitChildren(place, server, Set.of());
            assertConnections(server);
            assertThat(rows(place, "select distinct pid from transfers"))
                    .isNotEmpty()
                    .isSubsetOf(first.stream().map(child -> "" + child.pid()).toList());
            // The parent, whose connections are closed, makes others that connect anew.
            first.forEach(ProcessHandle::destroyForcibly);
            place.push("transfers", afterKill);
            place.await("they run", () -> place.number("ZCARD", "retry") == 1);
            awaitAll(place, server, 199);

            awaitChildren(place, server, first);
            assertConnections(server);
            assertDone(place);
            assertThat(server.log()).doesNotContain("database is locked", "SQLite3::");
        }
    }

    /// Takes away those that are to run last, the failing one among them.
    private static List<byte[]> takeHalf(Workplace place) {
        List<byte[]> half = place.strings("LRANGE", "queue:transfers", "0", "99");
        place.bytes("LTRIM", "queue:transfers", "100", "-1");
        assertThat(half).hasSize(100);
        return half.reversed();
    }

    /// By the database: while nothing waits and nothing is in hand a job may be on its way back.
    private void awaitAll(Workplace place, Child server, int transfers) {
        server.awaitLog("working on");
        place.await(
                "all are settled",
                () ->
                        place.number("LLEN", "queue:transfers") == 0
                                && place.number("LLEN", "queue:default") == 0
                                && place.inHandsOf(server).isEmpty()
                                && rows(place, DONE).equals(List.of(transfers + "|4")));
    }

    private static ProcessHandle parent(Child server) {
        return ProcessHandle.of(server.pid()).orElseThrow().children().findFirst().orElseThrow();
    }

    /// Waits until there are two, none of them among those: one alone may have run all jobs.
    private static Set<ProcessHandle> awaitChildren(
            Workplace place, Child server, Set<ProcessHandle> before) {
        place.await(
                "two other children",
                () -> {
                    Set<ProcessHandle> children = children(server);
                    return children.size() == 2 && Collections.disjoint(children, before);
                });
        return children(server);
    }

    private static Set<ProcessHandle> children(Child server) {
        return parent(server).children().collect(Collectors.toSet());
    }

    /// Each child has its own, one a thread at most; a parent that had one open would share it.
    private static void assertConnections(Child server) {
        assertThat(connections(parent(server))).as("of the parent").isZero();
        List<Long> open = children(server).stream().map(RailsIT::connections).toList();
        assertThat(open).allMatch(number -> number <= POOL).anyMatch(number -> number > 0);
    }

    private static long connections(ProcessHandle process) {
        Path files = Path.of("/proc/" + process.pid() + "/fd");
        long found = 0;
        try (DirectoryStream<Path> links = Files.newDirectoryStream(files)) {
            for (Path link : links) {
                found += Files.readSymbolicLink(link).toString().endsWith(".sqlite3") ? 1 : 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private List<String> rows(Workplace place, String sql) {
        String script =
                "SQLite3::Database.new(ARGV[0]).execute(ARGV[1]) { |row| puts row.join('|') }";
        String file = app.resolve("db/development.sqlite3").toString();
        return place.ruby("sqlite", "-rsqlite3", "-e", script, file, sql);
    }

    /// What is left after each transfer was made once, one was rolled back, and four statements.
    private void assertDone(Workplace place) {
        assertThat(rows(place, "select owner, balance from accounts order by id"))
                .containsExactly("Ada|998", "Grace|998", "Barbara|1001", "Radia|1003");
        assertThat(rows(place, "select count(*), max(amount) from transfers"))
                .containsExactly("199|3");
        assertThat(rows(place, "select count(*) from statements")).containsExactly("4");
        List<String> failed =
                place.strings("ZRANGE", "retry", "0", "-1").stream()
                        .map(bytes -> new String(bytes, UTF_8))
                        .toList();
        assertThat(failed)
                .singleElement()
                .asString()
                .contains(
                        "\"wrapped\":\"TransferJob\"",
                        "\"error_class\":\"Account::Overdrawn\"",
                        "\"error_message\":\"Ada has less than 1000000\"");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = from.relativize(file).toString();
                if (!name.matches("Gemfile.lock|(log|tmp)/.*|db/.*sqlite3.*")) {
                    Path copy = to.resolve(name);
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
