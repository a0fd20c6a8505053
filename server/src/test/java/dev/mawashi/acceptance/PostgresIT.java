package dev.mawashi.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Rails app whose jobs work in transactions on PostgreSQL: run by MRI's `sidekiq`, by Mawashi in
/// MRI children and in a process for each job, on a database each. What they leave in database and
/// Redis, and what they noted, must be the same.
///
/// Long: a tour of databases; RailsIT has one.
@Tag("long")
@Tag("stack")
final class PostgresIT {
    private static final Path APP = Path.of("src/test/ruby/bank").toAbsolutePath();

    @TempDir Path folder;

    @Test
    void transactionsRollbacksAndRetriesEndAlike() throws IOException {
        try (PostgresForTests postgres = new PostgresForTests();
                Workplace sidekiq = place("theirs");
                Workplace mri = place("mri");
                Workplace fork = place("fork")) {
            Files.createSymbolicLink(folder.resolve("postgres"), postgres.folder());
            sidekiq.lines("../bank/setup.rb", "theirs", "mri", "fork");
            new Comparison(List.of("transfers", "default"))
                    .push("../bank/push.rb", sidekiq, List.of(mri, fork));
            int runs = Integer.parseInt(Files.readString(sidekiq.folder().resolve("runs")));
            List<Child> servers =
                    List.of(
                            sidekiq.sidekiqFor(APP, "-e", "test"),
                            run(mri, "--processes", "2", "-c", "2"),
                            run(fork, "--runner", "fork", "-c", "4"));
            List<Workplace> places = List.of(sidekiq, mri, fork);
            for (Workplace place : places) {
                Comparison.awaitState(place, runs, 1, 0);
                place.open("again");
                Comparison.makeRetriesDue(place);
            }
            places.forEach(place -> Comparison.awaitState(place, runs + 1, 0, 0));
            Comparison.endAll(servers);
            String[] scripts = {"../bank/rows.rb", "../rails/outcome.rb"};
            Comparison.assertEqual(sidekiq, List.of(mri, fork), scripts);
        }
    }

    private Workplace place(String name) throws IOException {
        return new Workplace(Files.createDirectory(folder.resolve(name)));
    }

    private static Child run(Workplace place, String... flags) {
        String[] all =
                Stream.concat(
                                Stream.of("run", "-r", APP.toString(), "-e", "test"),
                                Stream.of(flags))
                        .toArray(String[]::new);
        return place.mawashi(Map.of(), all);
    }
}
