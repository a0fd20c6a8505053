package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example with Sequel on PostgreSQL and SQLite: on MRI by the gems pg and sqlite3, on JRuby by
/// JDBC. Rows, values read back and errors must be the same.
///
/// Long: a tour of databases; RailsIT has one.
@Tag("long")
final class SequelIT {
    private static final String APP = Programs.SCRIPTS.resolve("../sequel/app.rb").toString();
    private static final Path DRIVERS = Path.of("target/jdbc").toAbsolutePath();

    /// 200 transfers, and for each database 8 rows and 3 errors.
    private static final int DONE = 222;

    @TempDir Path folder;

    @Test
    void aDatabaseIsTheSameOnMriAndByJdbc() throws IOException {
        try (PostgresForTests postgres = PostgresForTests.onPort();
                Workplace mri = place("mri", postgres);
                Workplace jruby = place("jruby", postgres)) {
            mri.lines("../sequel/push.rb");
            jruby.lines("../sequel/push.rb");
            Child onMri = run(mri, Map.of(), "--runner", "mri", "--processes", "2", "-c", "5");
            Child onJruby = run(jruby, drivers(mri), "--runner", "jruby", "-c", "8");
            for (Workplace place : List.of(mri, jruby)) {
                place.await(
                        "all but one are done",
                        () ->
                                place.integer("GET", "stat:processed")
                                                - place.integer("GET", "stat:failed")
                                        == DONE);
            }
            Comparison.endAll(List.of(onMri, onJruby));

            assertThat(jruby.lines("../sequel/push.rb", "rows"))
                    .hasSizeGreaterThan(DONE)
                    .isEqualTo(mri.lines("../sequel/push.rb", "rows"));
            // The pool has five, as the example says.
            assertThat(onMri.log()).doesNotContain("share 5 connections");
            assertThat(onJruby.log())
                    .contains(
                            "8 jobs run at once in a process and share 5 connections to a database:"
                                    + " set `max_connections` of Sequel.connect to 8, or `-c` to 5");
        }
    }

    private Workplace place(String name, PostgresForTests postgres) throws IOException {
        Path place = Files.createDirectory(folder.resolve(name));
        Files.writeString(place.resolve("DATABASE_URL"), postgres.create(name));
        Files.writeString(place.resolve("SQLITE_URL"), "sqlite://" + place.resolve("bank.db"));
        return new Workplace(place);
    }

    /// Debian has Sequel among MRI's own files, of which JRuby is to get no other.
    private Path linked(Workplace place) throws IOException {
        String find = "puts $LOADED_FEATURES.find { |file| file.end_with?('/sequel.rb') }";
        Path file = Path.of(place.ruby("where", "-rsequel", "-e", find).getLast());
        Path library = Files.createDirectory(folder.resolve("library"));
        Files.createSymbolicLink(library.resolve("sequel.rb"), file);
        Files.createSymbolicLink(library.resolve("sequel"), file.resolveSibling("sequel"));
        return library;
    }

    private Map<String, String> drivers(Workplace mri) throws IOException {
        try (Stream<Path> jars = Files.list(DRIVERS)) {
            return Map.of(
                    "GEM_PATH",
                    "/usr/share/rubygems-integration/all",
                    "RUBYLIB",
                    linked(mri).toString(),
                    "JDBC_DRIVERS",
                    String.join(":", jars.map(Path::toString).toList()));
        }
    }

    private static Child run(Workplace place, Map<String, String> environment, String... flags) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP));
        words.addAll(List.of(flags));
        return place.mawashi(environment, words.toArray(String[]::new));
    }
}
