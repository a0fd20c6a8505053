package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.config.MawashiFile;
import dev.mawashi.config.RunnerKind;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi doctor` on small apps, beside a real Redis.
final class DoctorCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    @TempDir private Path app;

    @BeforeEach
    void makeApp() throws IOException {
        write("ok.rb", "class Ok; include Sidekiq::Job; def perform; end; end\n");
        write(
                "cd.rb",
                "class Cd\n  include Sidekiq::Job\n  sidekiq_options queue: 'no'\n"
                        + "  def perform = Dir.chdir('/')\nend\n");
        write("Gemfile", "gem 'sidekiq'\ngem 'nokogiri'\n");
    }

    private void write(String name, String text) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int doctor(String... flags) {
        String[] words = new String[flags.length + 3];
        words[0] = "doctor";
        words[1] = "-r";
        words[2] = app.toString();
        System.arraycopy(flags, 0, words, 3, flags.length);
        return RIG.run(words);
    }

    private Payload json(String... flags) {
        String[] words = new String[flags.length + 1];
        System.arraycopy(flags, 0, words, 0, flags.length);
        words[flags.length] = "--json";
        int _ = doctor(words);
        return Objects.requireNonNull(Payload.tryParse(RIG.out().toString().strip().getBytes()));
    }

    @Test
    void classesGemsAndTheMachineHaveVerdicts() {
        assertThat(doctor()).isEqualTo(Main.DONE);

        assertThat(RIG.out().toString())
                .contains("Cd         fork    cd.rb:4: Dir.chdir: changes the working directory")
                .contains("Ok         jruby   nothing was found that speaks against it")
                .contains("nokogiri", "has a gem for JRuby: bundle lock --add-platform java")
                .contains("durability  warning", "clock", "open files", "memory", "folder")
                .endsWith("queues:\n  # Cd\n  \"no\":\n    runner: fork\n");
    }

    @Test
    void theConfigIsOneThatMawashiReads() throws IOException {
        String yaml = Objects.requireNonNull(json("--app-only").text("config"));
        write("config/mawashi.yml", yaml);

        assertThat(MawashiFile.read(app.resolve("config/mawashi.yml")).kinds())
                .containsExactly(RunnerKind.JRUBY, RunnerKind.FORK);
        assertThat(RIG.run("config", "-r", app.toString(), "--check", "-q", "no"))
                .isEqualTo(Main.DONE);
    }

    @Test
    void theObjectHasWhatProgramsNeed() {
        Payload object = json();

        assertThat(object.text("app")).isEqualTo(app.toString());
        assertThat(object.raw("classes"))
                .contains("{\"name\":\"Cd\",\"runner\":\"fork\",\"reasons\":[\"cd.rb:4: ");
        assertThat(object.raw("gems")).contains("{\"name\":\"nokogiri\",");
        assertThat(object.raw("machine"))
                .contains("{\"check\":\"durability\",\"grade\":\"warning\"");
        assertThat(object.raw("must_change")).isEqualTo("false");
    }

    @Test
    void whatMustChangeIsAFailure() throws IOException {
        write("broken.rb", "class B\n");
        assertThat(doctor("--app-only")).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString()).contains("broken.rb:").contains("JRuby cannot parse it");

        Files.delete(app.resolve("broken.rb"));
        write("Gemfile", "gem 'sidekiq-pro'\n");
        assertThat(doctor("--app-only")).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString()).contains("sidekiq-pro").contains("none");
    }

    @Test
    void aRedisThatIsAwayOrThrowsJobsAwayIsAFailure() {
        assertThat(doctor("--redis", "redis://127.0.0.1:1/0")).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString()).contains("cannot reach redis://127.0.0.1:1/0");

        RIG.redis().call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        RIG.redis().call("CONFIG", "SET", "maxmemory", "100mb");
        try {
            assertThat(doctor()).isEqualTo(Main.FAILED);
            assertThat(RIG.out().toString()).contains("set maxmemory-policy to noeviction");
        } finally {
            RIG.redis().call("CONFIG", "SET", "maxmemory", "0");
            RIG.redis().call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void smallPoolsAndMistakesOfSettingsAreFound() throws IOException {
        write("config/database.yml", "production:\n  pool: <%= ENV.fetch(\"DB_POOL\") { 3 } %>\n");
        assertThat(doctor("-c", "40", "--runner", "jruby")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .contains("3 connections for 40 threads of a process")
                .contains("pool in config/database.yml at least 40");

        write("config/mawashi.yml", "runner: rubby\n");
        assertThat(doctor()).isEqualTo(Main.FAILED);
        assertThat(RIG.out().toString())
                .contains("settings", "mawashi.yml line 1: runner is rubby");
    }

    @Test
    void whatIsNoAppIsWrongUse() throws IOException {
        Path empty = Files.createDirectory(app.resolve("empty"));
        assertThat(RIG.run("doctor", "-r", app + "/nowhere")).isEqualTo(Main.WRONG_USE);
        assertThat(RIG.err().toString()).contains("there is no file or folder", "-r");
        Files.delete(app.resolve("Gemfile"));
        assertThat(RIG.run("doctor", "-r", empty.toString())).isEqualTo(Main.WRONG_USE);
        assertThat(RIG.err().toString()).contains("holds no app");
    }
}
