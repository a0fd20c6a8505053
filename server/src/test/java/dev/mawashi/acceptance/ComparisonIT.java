package dev.mawashi.acceptance;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private static final String DEBIAN_GEMS = Workplace.DEBIAN_GEMS.get("GEM_PATH");

    /// It takes some 40 s of CPU, which beside other tests are minutes.
    private static final Duration BOOT = Duration.ofMinutes(5);

    @TempDir Path folder;

    /// Long: two whole servers; SideBySideIT has the quick one.
    @Tag("long")
    @Test
    void theAppAndRedisCannotTellTheServersApart() throws IOException {
        try (Workplace sidekiq = place("sidekiq");
                Workplace jruby = place("jruby");
                Workplace mri = place("mri")) {
            List<Workplace> ours = List.of(jruby, mri);
            new Comparison(QUEUES).push("../rails/push.rb", sidekiq, ours);
            String app = RAILS_APP.toString();
            List<Child> servers =
                    List.of(
                            sidekiq.sidekiqFor(RAILS_APP, "-e", "test"),
                            jruby.mawashi(jruby(), "run", "-r", app, "-e", "test"),
                            mri.mawashi(
                                    Map.of(), "run", "-r", app, "-e", "test", "--processes", "1"));
            Child onJruby = servers.get(1);
            Eventually.until(
                    "JRuby has booted Rails",
                    BOOT,
                    () -> onJruby.log().contains("working on") || !onJruby.isAlive());
            runAll(List.of(sidekiq, jruby, mri));
            Comparison.endAll(servers);
            Comparison.assertEqual(sidekiq, ours, "../rails/outcome.rb");
        }
    }

    private Workplace place(String name) throws IOException {
        return new Workplace(Files.createDirectory(folder.resolve(name)));
    }

    private static void runAll(List<Workplace> places) {
        for (Workplace place : places) {
            Comparison.awaitState(place, 40, 15, 3);
            place.open("again");
            Comparison.makeRetriesDue(place);
        }
        for (Workplace place : places) {
            Comparison.awaitState(place, 52, 13, 4);
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
}
