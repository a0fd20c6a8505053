package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Gives several servers the same jobs, byte for byte, and compares what is left of them.
///
/// @param queues that hold the jobs
record Comparison(List<String> queues) {
    /// Jobs that no Sidekiq has pushed, of which they make more when they push them anew.
    private static final Pattern BY_HAND = Pattern.compile("\"stamp\":\"by hand\"");

    Comparison {
        queues = List.copyOf(queues);
    }

    /// Enqueues by a script, and gives another place what that has enqueued.
    void push(String script, Workplace first, List<Workplace> others) throws IOException {
        assertThat(first.lines(script)).isEmpty();
        deleteLogs(first.folder());
        for (Workplace other : others) {
            copy(first, other);
        }
    }

    /// What the client wrote is not compared.
    private static void deleteLogs(Path folder) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*.log")) {
            for (Path log : logs) {
                Files.delete(log);
            }
        }
    }

    private void copy(Workplace from, Workplace to) throws IOException {
        for (String queue : queues) {
            List<byte[]> jobs = from.strings("LRANGE", "queue:" + queue, "0", "-1").reversed();
            if (!jobs.isEmpty()) {
                to.push(queue, jobs);
            }
        }
        List<byte[]> due = from.strings("ZRANGE", "schedule", "0", "-1", "WITHSCORES");
        for (int i = 0; i < due.size(); i += 2) {
            String score = Workplace.text(due.get(i + 1));
            to.number("ZADD", "schedule", score, new String(due.get(i), UTF_8));
        }
        Files.copy(from.folder().resolve("jids"), to.folder().resolve("jids"));
    }

    static void awaitState(Workplace place, long runs, long retries, long dead) {
        Ledger ledger = place.ledger();
        place.await(
                runs + " runs, " + retries + " retries, " + dead + " dead",
                () ->
                        ledger.lines("leave").size() == runs
                                && place.number("ZCARD", "retry") == retries
                                && place.number("ZCARD", "dead") == dead);
    }

    /// All but those that have no `retry` in what was pushed: Sidekiq's push from the set would put
    /// that field first.
    static void makeRetriesDue(Workplace place) {
        for (byte[] bytes : place.strings("ZRANGE", "retry", "0", "-1")) {
            String entry = new String(bytes, UTF_8);
            if (!BY_HAND.matcher(entry).find()) {
                place.number("ZADD", "retry", "1", entry);
            }
        }
    }

    static void endAll(List<Child> servers) {
        servers.forEach(server -> server.signal("TERM"));
        servers.forEach(server -> assertThat(server.awaitExit()).as(server::log).isZero());
    }

    /// Has scripts print what is left at each place.
    static void assertEqual(Workplace sidekiq, List<Workplace> others, String... scripts) {
        for (String script : scripts) {
            List<String> expected = sidekiq.lines(script);
            assertThat(expected).hasSizeGreaterThan(40);
            for (Workplace place : others) {
                List<String> differences = new ArrayList<>();
                List<String> found = place.lines(script);
                without(expected, found).forEach(line -> differences.add("sidekiq only: " + line));
                without(found, expected).forEach(line -> differences.add("mawashi only: " + line));
                assertThat(differences).as("in " + place.folder().getFileName()).isEmpty();
            }
        }
    }

    /// The lines that are in one list oftener than in the other.
    private static List<String> without(List<String> lines, List<String> others) {
        List<String> left = new ArrayList<>(lines);
        others.forEach(left::remove);
        return left;
    }
}
