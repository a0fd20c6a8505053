package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Rails app with a config file, middleware on both sides, handlers, CurrentAttributes, a locale
/// and ActiveJob: the same jobs, byte for byte, are run by MRI's `sidekiq` and by Mawashi, on JRuby
/// and in MRI children. What the app notes and what Redis holds afterwards must be the same but for
/// times and new ids.
@Tag("stack")
final class ComparisonIT {
    private static final Path RAILS_APP = Path.of("src/test/ruby/rails").toAbsolutePath();
    private static final List<String> QUEUES = List.of("high", "default", "low", "wide");

    /// Gems that Debian packs for MRI only, since they depend on a C extension that Rails does not
    /// load until it is asked to parse HTML.
    private static final String PLAIN_RUBY_GEMS =
            "{railties,actionpack,actionview,builder,erubi,rack-test,thor}-*";

    /// Gems that Rails says it needs, and that these jobs do without.
    private static final List<String> MISSING_GEMS = List.of("nokogiri", "cgi");

    private static final String EMPTY_GEM =
            "Gem::Specification.new { |s| s.name, s.version, s.summary = '%s', '1.99.0', '-' }";

    private static final Pattern BY_HAND = Pattern.compile("\"stamp\":\"by hand\"");

    private static final String DEBIAN_GEMS = Workplace.DEBIAN_GEMS.get("GEM_PATH");

    @TempDir Path folder;

    @Test
    void theAppAndRedisCannotTellTheServersApart() throws IOException {
        Path theirs = Files.createDirectory(folder.resolve("sidekiq"));
        Path ours = Files.createDirectory(folder.resolve("jruby"));
        Path children = Files.createDirectory(folder.resolve("mri"));
        try (Workplace sidekiq = new Workplace(theirs);
                Workplace jruby = new Workplace(ours);
                Workplace mri = new Workplace(children)) {
            assertThat(sidekiq.lines("../rails/push.rb")).isEmpty();
            deleteLogs(theirs);
            copy(sidekiq, jruby);
            copy(sidekiq, mri);
            String app = RAILS_APP.toString();
            List<Child> servers =
                    List.of(
                            sidekiq.sidekiqFor(RAILS_APP, "-e", "test"),
                            jruby.mawashi(jruby(), "run", "-r", app, "-e", "test"),
                            mri.mawashi(
                                    Map.of(), "run", "-r", app, "-e", "test", "--processes", "1"));
            runAll(List.of(sidekiq, jruby, mri));
            servers.forEach(server -> server.signal("TERM"));
            servers.forEach(server -> assertThat(server.awaitExit()).as(server::log).isZero());

            List<String> expected = sidekiq.lines("../rails/outcome.rb");
            assertThat(expected).hasSizeGreaterThan(200);
            for (Workplace place : List.of(jruby, mri)) {
                String runner = place.folder().getFileName().toString();
                List<String> found = place.lines("../rails/outcome.rb");
                assertThat(differences(expected, found)).as("with " + runner).isEmpty();
            }
        }
    }

    private static void runAll(List<Workplace> places) {
        for (Workplace place : places) {
            awaitState(place, 40, 15, 3);
            place.open("again");
            makeRetriesDue(place);
        }
        for (Workplace place : places) {
            awaitState(place, 52, 13, 4);
        }
    }

    /// What brings Rails onto JRuby's load path, and has RubyGems find all that Rails says it
    /// needs: Sidekiq 8's part for Rails is there only if it does.
    private Map<String, String> jruby() throws IOException {
        Path specifications = Files.createDirectories(folder.resolve("gems/specifications"));
        for (String name : MISSING_GEMS) {
            Files.createDirectories(folder.resolve("gems/gems/" + name + "-1.99.0"));
            String text = EMPTY_GEM.formatted(name);
            Files.writeString(specifications.resolve(name + "-1.99.0.gemspec"), text);
        }
        Path gems = Path.of(DEBIAN_GEMS, "gems");
        try (DirectoryStream<Path> found = Files.newDirectoryStream(gems, PLAIN_RUBY_GEMS)) {
            String folders =
                    Stream.iterate(found.iterator(), i -> i.hasNext(), i -> i)
                            .map(i -> i.next().resolve("lib").toString())
                            .collect(Collectors.joining(":"));
            Path jrubyGems = Path.of("../ruby/target/jruby-gems").toAbsolutePath();
            String path = jrubyGems + ":" + folder.resolve("gems") + ":" + DEBIAN_GEMS;
            return Map.of("GEM_PATH", path, "RUBYLIB", folders);
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

    private static void copy(Workplace from, Workplace to) throws IOException {
        for (String queue : QUEUES) {
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

    private static List<String> differences(List<String> expected, List<String> found) {
        List<String> all = new ArrayList<>();
        without(expected, found).forEach(line -> all.add("sidekiq only: " + line));
        without(found, expected).forEach(line -> all.add("mawashi only: " + line));
        return all;
    }

    /// The lines that are in one list oftener than in the other.
    private static List<String> without(List<String> lines, List<String> others) {
        List<String> left = new ArrayList<>(lines);
        others.forEach(left::remove);
        return left;
    }

    private static void awaitState(Workplace place, long runs, long retries, long dead) {
        Ledger ledger = place.ledger();
        place.await(
                runs + " runs, " + retries + " retries, " + dead + " dead",
                () ->
                        ledger.lines("leave").size() == runs
                                && place.number("ZCARD", "retry") == retries
                                && place.number("ZCARD", "dead") == dead);
    }

    /// All but two that have no `retry` in what was pushed: Sidekiq's push from the set would put
    /// that field first.
    private static void makeRetriesDue(Workplace place) {
        for (byte[] bytes : place.strings("ZRANGE", "retry", "0", "-1")) {
            String entry = new String(bytes, UTF_8);
            if (!BY_HAND.matcher(entry).find()) {
                place.number("ZADD", "retry", "1", entry);
            }
        }
    }
}
