package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An app that cannot be loaded is explained in a few lines; one that can finds what it expects.
class RubyBootTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "raise 'boom'|RuntimeError: boom",
                "no_such_thing|NameError: undefined local variable or method 'no_such_thing'",
                "require 'no/such/gem'|LoadError: cannot load such file -- no/such/gem",
                "def x|SyntaxError: ",
                "exit 3|SystemExit: exit",
                "raise Interrupt, 'no'|Interrupt: no"
            })
    void aFileThatRaisesIsNamedWithTheErrorAndItsPlace(String code, String error)
            throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "# app\n" + code + "\n");

        RubyBootFailure failure = failure(file.toString());

        assertThat(failure).hasMessageStartingWith("cannot load " + file + ": " + error);
        String message = String.valueOf(failure.getMessage());
        assertThat(message.lines()).hasSizeLessThan(12);
        assertThat(message).doesNotContain("org.jruby").doesNotContain("uri:classloader");
        if (!code.startsWith("def")) {
            assertThat(message).contains("\n    at ").contains("app.rb:2:in");
        }
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(failure("/no/such/app.rb"))
                .hasMessage("there is no file or directory /no/such/app.rb (set it with -r)");
    }

    @Test
    void aDirectoryThatIsNoRailsAppIsExplained() {
        assertThat(failure(directory.toString())).hasMessageContaining("no config/application.rb");
    }

    @Test
    void aBundleThatCannotBeHadIsExplained() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "");
        Path gemfile =
                Files.writeString(directory.resolve("Gemfile"), "gem 'no-such-gem-at-all'\n");
        Map<String, String> variables = Map.of("BUNDLE_GEMFILE", gemfile.toString());

        RubyBootFailure failure =
                failure(TestRuby.settings(file.toString(), variables, new TestRuby.Kept()));

        assertThat(failure)
                .hasMessageContaining("Bundler::GemNotFound")
                .hasMessageContaining("no-such-gem-at-all");
    }

    @Test
    void aGemThatIsMadeForMriIsToldWithItsRemedy() throws IOException {
        Path specification =
                Files.createDirectory(directory.resolve("specifications"))
                        .resolve("native-1.0.gemspec");
        Files.writeString(
                specification,
                """
                Gem::Specification.new do |s|
                  s.name = "native"
                  s.version = "1.0"
                  s.require_paths = ["lib"]
                  s.extensions = ["ext/extconf.rb"]
                  s.summary = "made for MRI"
                  s.authors = ["nobody"]
                end
                """);
        Path lib = Files.createDirectories(directory.resolve("gems/native-1.0/lib"));
        Files.writeString(lib.resolve("native.rb"), "module Native; PARSER = Ext::Parser; end\n");
        Path app = Files.writeString(directory.resolve("app.rb"), "require 'native'\n");

        Map<String, String> variables = Map.of("GEM_PATH", directory.toString());

        assertThat(failure(TestRuby.settings(app.toString(), variables, new TestRuby.Kept())))
                .hasMessageContaining("uninitialized constant Native::Ext (native-1.0 in ")
                .hasMessageContaining("which JRuby cannot load: take that folder out of GEM_PATH");
    }

    @Test
    void aBundleForAnotherRubyNamesTheRemedy() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "");
        Path gemfile = Files.writeString(directory.resolve("Gemfile"), "ruby '3.1.2'\n");
        Map<String, String> variables = Map.of("BUNDLE_GEMFILE", gemfile.toString());

        assertThat(failure(TestRuby.settings(file.toString(), variables, new TestRuby.Kept())))
                .hasMessageContaining("your Gemfile specified 3.1.2: to a Gemfile JRuby ")
                .hasMessageContaining("or run with --runner mri");
    }

    @Test
    void digestsAreLoadedBeforeThreadsNameThemAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "require 'digest'\n");
        try (RubyRuntime ruby = TestRuby.boot(file.toString())) {
            assertThat(
                            ruby.eval("%i[MD5 SHA1 SHA256 SHA512].difference(Digest.constants)")
                                    .toString())
                    .isEqualTo("[]");
        }
    }

    @Test
    void theAppSeesItsEnvironmentAndTheShippedSidekiq() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("app.rb"),
                        """
                        class SomeJob
                          include Sidekiq::Job
                        end
                        SEEN = [Sidekiq.server?, ENV.values_at("APP_ENV", "RAILS_ENV", "RACK_ENV", "REDIS_URL", "OWN")]
                        """);
        TestRuby.Kept sink = new TestRuby.Kept();
        RubySettings settings =
                new RubySettings(
                        AppFlags.require(file.toString()),
                        Map.of("RAILS_ENV", "staging", "OWN", "x"),
                        "redis://there:1",
                        sink,
                        TestRuby.NO_STATES);
        try (RubyRuntime ruby = RubyRuntime.boot(settings)) {
            assertThat(ruby.eval("SEEN.inspect").asJavaString())
                    .isEqualTo(
                            "[true, [\"staging\", \"staging\", \"staging\", \"redis://there:1\", \"x\"]]");
            assertThat(ruby.sidekiqVersion()).isEmpty();
            assertThat(ruby.jobClassNames()).isEqualTo(List.of("SomeJob"));
        }
    }

    /// Long: a boot more, for the demo.
    @Tag("long")
    @Test
    void whatIsToHaveNoFileBesideItHasNoBundleEither() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "");
        Files.writeString(directory.resolve("Gemfile"), "gem 'no-such-gem-at-all'\n");
        AppFlags demo =
                new AppFlags(file.toString(), "", "demo", null, 2, null, new LinkedHashMap<>());

        try (RubyRuntime ruby =
                RubyRuntime.boot(
                        new RubySettings(
                                demo,
                                TestRuby.environment(Map.of()),
                                null,
                                new TestRuby.Kept(),
                                TestRuby.NO_STATES))) {
            assertThat(ruby.sidekiqVersion()).isEmpty();
        }
    }

    /// Long: `anAppWhoseGemfileNamesMawashiGetsTheServersOwnFiles` and the Ruby of an app with such
    /// a bundle are quick ones.
    @Tag("long")
    @Test
    void aBundleNeedNotNameWhatTheShippedFilesNeed() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "Sidekiq.logger.level = 1\n");
        Path gemfile = Files.writeString(directory.resolve("Gemfile"), "# no gems\n");
        Map<String, String> variables = Map.of("BUNDLE_GEMFILE", gemfile.toString());

        try (RubyRuntime ruby =
                RubyRuntime.boot(
                        TestRuby.settings(file.toString(), variables, new TestRuby.Kept()))) {
            assertThat(ruby.sidekiqVersion()).isEmpty();
        }
    }

    @Test
    void aRubyThatAnAppWithABundleStartsLooksForNothingInTheServer() throws IOException {
        Path file = Files.writeString(directory.resolve("app.rb"), "");
        Path gemfile = Files.writeString(directory.resolve("Gemfile"), "# no gems\n");
        Map<String, String> variables =
                Map.of(
                        "BUNDLE_GEMFILE",
                        gemfile.toString(),
                        "RUBYOPT",
                        "-W1",
                        "RUBYLIB",
                        directory.toString());

        try (RubyRuntime ruby =
                RubyRuntime.boot(
                        TestRuby.settings(file.toString(), variables, new TestRuby.Kept()))) {
            assertThat(
                            ruby.eval(
                                            "`ruby -e 'puts [ENV[%q(RUBYOPT)], ENV[%q(RUBYLIB)]].join(%q( ))'`")
                                    .asJavaString())
                    .isEqualTo("-W1 " + directory + "\n");
        }
    }

    /// Its Gemfile names the gem for the app's own processes; in the server, the server's files
    /// count.
    @Test
    void anAppWhoseGemfileNamesMawashiGetsTheServersOwnFiles() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("app.rb"),
                        "require 'sidekiq'\nrequire 'sidekiq/testing'\n");
        Path gemfile = Files.writeString(directory.resolve("Gemfile"), MriSuiteTest.GEMFILE);
        Map<String, String> variables = Map.of("BUNDLE_GEMFILE", gemfile.toString());

        try (RubyRuntime ruby =
                RubyRuntime.boot(
                        TestRuby.settings(file.toString(), variables, new TestRuby.Kept()))) {
            assertThat(ruby.sidekiqVersion()).isEmpty();
            assertThat(
                            ruby.eval(
                                            "$LOADED_FEATURES.grep(/\\A#{Regexp.escape('%s')}/).inspect"
                                                    .formatted(
                                                            Path.of("..")
                                                                    .toAbsolutePath()
                                                                    .normalize()))
                                    .asJavaString())
                    .isEqualTo("[]");
        }
    }

    @Test
    void theAppHasTheLastWordOnItsCapsulesAndReadsItsOwnKeys() throws IOException {
        Path config =
                Files.writeString(
                        directory.resolve("own.yml"),
                        """
                        concurrency: 3
                        queues: [a, 'b,2']
                        cron: {nightly: 3}
                        labels: [eu]
                        capsules: {slow: {concurrency: 1, queues: [s]}}
                        """);
        Path file =
                Files.writeString(
                        directory.resolve("app.rb"),
                        """
                        Sidekiq.configure_server do |config|
                          config[:tag] = config.dig(:cron, :nightly).to_s
                          config[:max_retries] = 7
                          config.concurrency += 1
                          config.capsule("late") { |capsule| capsule.queues = %w[l m] }
                        end
                        """);
        try (RubyRuntime ruby = RubyRuntime.boot(withConfig(file, config))) {
            AppSettings found = ruby.settings();

            assertThat(found.tag()).isEqualTo("3");
            assertThat(found.labels()).isEqualTo(List.of("eu"));
            assertThat(found.maxRetries()).isEqualTo(7);
            assertThat(found.capsules().toString())
                    .isEqualTo(
                            "[Pool[name=default, concurrency=4, queues={a=0, b=2}],"
                                    + " Pool[name=slow, concurrency=1, queues={s=0}],"
                                    + " Pool[name=late, concurrency=10, queues={l=0, m=0}]]");
        }
    }

    private static RubySettings withConfig(Path file, Path config) {
        return new RubySettings(
                new AppFlags(
                        file.toString(),
                        config.toString(),
                        "test",
                        null,
                        null,
                        null,
                        new LinkedHashMap<>()),
                TestRuby.environment(Map.of()),
                null,
                new TestRuby.Kept(),
                TestRuby.NO_STATES);
    }

    @Test
    void aStartupBlockThatRaisesKeepsTheServerFromStarting() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("app.rb"),
                        "Sidekiq.configure_server { |c| c.on(:startup) { raise 'not today' } }");
        try (RubyRuntime ruby = TestRuby.boot(file.toString())) {
            assertThatThrownBy(() -> ruby.fire(LifecycleEvent.STARTUP))
                    .isInstanceOf(RubyBootFailure.class)
                    .hasMessageContaining("RuntimeError: not today")
                    .hasMessageContaining("app.rb:1:in");
        }
    }

    @Test
    void aRailsDirectoryIsLoadedByItsEnvironment() throws IOException {
        Path config = Files.createDirectories(directory.resolve("config"));
        Files.writeString(config.resolve("application.rb"), "");
        Files.writeString(config.resolve("environment.rb"), "LOADED = [Rails, ENV['RAILS_ENV']]");
        Path lib = Files.createDirectories(directory.resolve("lib"));
        Files.writeString(lib.resolve("rails.rb"), "module Rails; end");
        Map<String, String> variables = Map.of("RUBYLIB", lib.toString());

        try (RubyRuntime ruby =
                RubyRuntime.boot(
                        TestRuby.settings(directory.toString(), variables, new TestRuby.Kept()))) {
            assertThat(ruby.eval("LOADED.inspect").asJavaString()).isEqualTo("[Rails, \"test\"]");
        }
    }

    private static RubyBootFailure failure(String require) {
        return failure(TestRuby.settings(require, Map.of(), new TestRuby.Kept()));
    }

    private static RubyBootFailure failure(RubySettings settings) {
        return catchThrowableOfType(
                RubyBootFailure.class, () -> RubyRuntime.boot(settings).close());
    }
}
