package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Programs;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi doctor --boot` on small apps, in real processes and beside a real Redis.
final class DoctorBootIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    /// Only a hang takes longer: a call boots the app up to six times.
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TempDir private Path app;

    @TempDir private Path logs;

    /// By the last call.
    private String printed = "";

    private void write(String name, String... lines) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private int doctor(String... flags) {
        List<String> words = new ArrayList<>(List.of("--app-only"));
        words.addAll(List.of(flags));
        return doctor(Map.of(), words.toArray(String[]::new));
    }

    /// A process, since the boots have its flags: they start from the tests' archive of classes.
    private int doctor(Map<String, String> environment, String... flags) {
        List<String> words = new ArrayList<>(List.of("doctor", "-r", app + "/app.rb"));
        words.addAll(List.of(flags));
        List<String> command = Programs.mawashiCommand(words.toArray(String[]::new));
        try (Programs programs = new Programs(logs, RIG.url())) {
            Child doctor = programs.start("doctor", command, environment);
            int exit = doctor.awaitExit(LIMIT);
            printed = doctor.log();
            return exit;
        }
    }

    private Payload boot(String... flags) {
        List<String> words = new ArrayList<>(List.of(flags));
        words.add("--json");
        assertThat(doctor(words.toArray(String[]::new))).isEqualTo(Main.FAILED);
        Payload object = Payload.tryParse(printed.strip().getBytes());
        String text = Objects.requireNonNull(object, () -> printed).raw("boot");
        byte[] boot = Objects.requireNonNull(text, () -> printed).getBytes();
        return Objects.requireNonNull(Payload.tryParse(boot));
    }

    @BeforeEach
    void makeParts() throws IOException {
        write("jobs.rb", "class Ok", "  include Sidekiq::Job", "  def perform; end", "end");
        write("vendor/redcarpet.rb", "require 'redcarpet.so'", "module Redcarpet; end");
        write("initializers/broken.rb", "LIMITS = Integer('many')");
    }

    /// Long: several boots of an app; BootTrialTest has the words of faults.
    @Tag("long")
    @Test
    void eachFailingRequireIsNamedWithItsRemedyInOneCall() throws IOException {
        write(
                "app.rb",
                "$LOAD_PATH << \"#{__dir__}/vendor\"",
                "require_relative 'jobs'",
                "begin",
                "  require 'optional/part'",
                "rescue LoadError",
                "end",
                "require 'no/such/gem'",
                "require 'redcarpet'",
                "load \"#{__dir__}/initializers/broken.rb\"",
                "exit 3 if ENV['NEVER']");

        assertThat(doctor("--boot")).isEqualTo(Main.FAILED);

        assertThat(printed)
                .contains("app.rb:7: no/such/gem: LoadError: cannot load such file -- no/such/gem")
                .contains("add the gem that has it to the Gemfile")
                .contains("redcarpet: LoadError: cannot load such file -- redcarpet.so")
                .contains("redcarpet runs on MRI only; instead: kramdown")
                .contains("initializers/broken.rb:1: ArgumentError: ")
                .contains("the app loads on JRuby once these 3 are mended")
                .doesNotContain("optional/part");
    }

    @Test
    void anAppThatLoadsIsSaidToAndLeavesNothing() throws IOException {
        // No other run of this test on the machine has the same.
        String left = "sleep 60042." + ProcessHandle.current().pid();
        write(
                "app.rb",
                "require_relative 'jobs'",
                "spawn('" + left + "')",
                "system('setsid " + left + " & true')",
                "Ok.perform_async",
                "at_exit { spawn('" + left + "') }",
                "Thread.new { loop { sleep 1 } }");

        assertThat(doctor("--boot")).as(() -> printed).isEqualTo(Main.DONE);

        assertThat(printed).contains("the app loads on JRuby\n");
        assertThat(RIG.redis().call("DBSIZE")).isEqualTo(0L);
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(one -> one.info().commandLine().orElse("").contains(left));
    }

    /// Long: several boots; RedisPlacesIT has the comparison at a start.
    @Tag("long")
    @Test
    void theAppsOwnRedisIsComparedWithTheServers() throws IOException {
        write(
                "app.rb",
                "$LOAD_PATH.concat(Dir['/usr/share/rubygems-integration/all/gems/redis-[0-9]*/lib'])",
                "require_relative 'jobs'",
                "Sidekiq.configure_server do |config|",
                "  config.redis = { url: ENV.fetch('OWN_REDIS') }",
                "end");
        String same = RIG.url().replace("127.0.0.1", "localhost");
        String other = RIG.url().replaceAll("/0$", "/5");

        assertThat(bootBeside(same)).containsPattern("redis of the app +ok +is the server's");
        assertThat(bootBeside(other))
                .containsPattern(
                        "redis of the app +warning +is another: %s, the server's %s \\(from REDIS_URL\\)"
                                .formatted(other, RIG.url()))
                .contains("the app loads on JRuby\n");
        assertThat(RIG.redis().call("DBSIZE")).isEqualTo(0L);
    }

    /// Long: two boots; OwnRedisIT has servers that take it.
    @Tag("long")
    @Test
    void theRedisThatAServerWouldTakeIsLookedAt() throws IOException {
        write(
                "app.rb",
                "require 'sidekiq'",
                "Sidekiq.configure_server do |config|",
                "  config.redis = { url: ENV.fetch('OWN_REDIS') }",
                "end");
        Map<String, String> gems = Map.of("GEM_PATH", "/usr/share/rubygems-integration/all");
        String other = RIG.url().replaceAll("/0$", "/5");

        assertThat(bootBeside(other, gems))
                .containsPattern(
                        "redis of the app +ok +is what mawashi run takes: %s, in place of %s \\(from REDIS_URL\\)"
                                .formatted(other, RIG.url()));
        assertThat(bootBeside("redis://127.0.0.1:1/1", gems))
                .contains("cannot reach redis://127.0.0.1:1/1");
    }

    /// Long: a boot; NamespaceIT has the comparison at a start.
    @Tag("long")
    @Test
    void aNamespaceThatTheAppHasNotIsAnError() throws IOException {
        write("app.rb", "require_relative 'jobs'");

        assertThat(bootBeside("", Map.of("MAWASHI_NAMESPACE", "myapp")))
                .containsPattern("redis of the app +error +has another namespace")
                .contains("the app's own Sidekiq has no namespace, and this server has myapp");
    }

    private String bootBeside(String own) {
        return bootBeside(own, Map.of());
    }

    /// The report about an app, with this machine and Redis.
    private String bootBeside(String own, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("OWN_REDIS", own);
        int _ = doctor(environment, "--boot");
        return printed;
    }

    /// Long: two boots; BootTrialTest has the words of faults.
    @Tag("long")
    @Test
    void anExitIsNamedWithItsPlaceAndStatus() throws IOException {
        write("app.rb", "require_relative 'jobs'", "require_relative 'settings'");
        write("settings.rb", "abort 'TOKEN is not set' unless ENV['TOKEN_60042']");

        Payload boot = boot("--boot");

        assertThat(boot.raw("loads")).isEqualTo("false");
        assertThat(boot.raw("whole")).isEqualTo("true");
        assertThat(boot.raw("faults"))
                .contains("\"kind\":\"exit\"", "\"place\":\"settings.rb:1\"")
                .contains("calls exit with status 1 (TOKEN is not set)");
    }

    /// Long: two boots more.
    @Tag("long")
    @Test
    void anExitThatNothingRescuesIsNamedToo() throws IOException {
        write("app.rb", "require_relative 'jobs'", "exit! 3");
        assertThat(boot("--boot").raw("faults"))
                .contains("\"kind\":\"exit\"", "app.rb", "with status 3");

        write("app.rb", "require_relative 'jobs'", "java.lang.System.exit(4)");
        assertThat(boot("--boot").raw("faults"))
                .contains("\"kind\":\"exit\"", "app.rb:2", "ended the process with status 4");
    }

    /// Long: the boot takes the whole of its limit; BootTrialTest has its words.
    @Tag("long")
    @Test
    void aBootThatDoesNotEndIsEnded() throws IOException {
        write("app.rb", "loop { }");

        Payload boot = boot("--boot", "2");

        assertThat(boot.raw("whole")).isEqualTo("false");
        assertThat(boot.raw("faults"))
                .contains("\"kind\":\"hang\"", "was not done after 2 s")
                .contains("without waiting there");
    }

    /// Long: a boot more.
    @Tag("long")
    @Test
    void aMistakeOfTheSettingsIsNamed() throws IOException {
        write("app.rb", "require_relative 'jobs'");
        write("sidekiq.yml", ":concurrency: many");

        assertThat(boot("--boot", "-C", app + "/sidekiq.yml").raw("faults"))
                .contains("\"kind\":\"refused\"", "concurrency");
        assertThat(doctor("--boot=0")).isEqualTo(Main.WRONG_USE);
        assertThat(printed).contains("--boot is 0, must be 1 to 3600");
    }
}
