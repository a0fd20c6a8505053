package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi config --load` with an app on the real sidekiq gem. No Redis is there.
final class ConfigLoadIT {
    /// Debian's gems, which JRuby can load too.
    private static final String GEMS = "/usr/share/rubygems-integration/all";

    private static final String APP =
            """
            puts "the app prints"
            raise "not Sidekiq's own" unless $LOADED_FEATURES.any? { |file| file.end_with?("/sidekiq/version.rb") }

            Sidekiq.configure_server do |config|
              settings = config.respond_to?(:[]=) ? config : config.options
              settings[:timeout] = 12
              settings[:max_retries] = 9
              config.on(:startup) { File.write(File.join(__dir__, "started"), "") }
            end
            """;

    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeApp() throws IOException {
        Files.writeString(folder.resolve("jobs.rb"), APP);
        Files.writeString(
                folder.resolve("sidekiq.yml"), "timeout: 8\nconcurrency: 3\nqueues: [[a, 2], b]\n");
        Files.writeString(folder.resolve("mawashi.yml"), "time_limit: 60\n");
    }

    private int config(String runner, String... flags) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeAll(List.of("BUNDLE_GEMFILE", "RUBYOPT", "GEM_HOME"));
        environment.put("GEM_PATH", GEMS);
        environment.put("REDIS_URL", "redis://127.0.0.1:1");
        List<String> words =
                new ArrayList<>(List.of("config", "-r", folder + "/jobs.rb", "--runner", runner));
        words.addAll(List.of("-C", folder + "/sidekiq.yml"));
        words.addAll(List.of(flags));
        return Main.run(words, environment, new PrintWriter(out, true), new PrintWriter(err, true));
    }

    private List<String> rows() {
        return out.toString()
                .replace(folder + "/", "")
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @EachOf({"mri", "jruby"})
    void whatTheAppSetsIsShownAndNothingIsStarted(String runner) {
        assertThat(config(runner, "--load")).as(err.toString()).isZero();

        assertThat(rows())
                .contains(
                        "config file sidekiq.yml -C",
                        "timeout 12 s the app",
                        "max_retries 9 the app",
                        "dead_max_jobs 10000 default",
                        "concurrency 3 sidekiq.yml",
                        "time_limit 60 s mawashi.yml line 1",
                        "runner " + runner + " --runner")
                .anyMatch(row -> row.startsWith("queues a,2, b,") && row.contains("sidekiq.yml: d"))
                .anyMatch(row -> row.startsWith("app ") && row.contains("the app's sidekiq gem"));
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void withoutItTheAppIsNotLoaded() {
        assertThat(config("mri")).as(err.toString()).isZero();

        assertThat(rows()).contains("timeout 8 s sidekiq.yml", "max_retries 25 default");
    }

    @Test
    void anAppThatDoesNotLoadIsAMistakeBesideTheOthers() throws IOException {
        Files.writeString(folder.resolve("jobs.rb"), "raise 'no database'\n");

        assertThat(config("mri", "--load", "--check")).isEqualTo(Main.FAILED);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("cannot load", "no database");
    }

    @Test
    void aProgramThatIsNoRubyIsAMistake() {
        assertThat(config("mri", "--load", "--check", "--ruby", "/nowhere/ruby"))
                .isEqualTo(Main.FAILED);

        assertThat(err.toString()).contains("/nowhere/ruby");
    }
}
