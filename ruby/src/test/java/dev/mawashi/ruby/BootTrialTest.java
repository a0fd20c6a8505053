package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A boot that only shows what fails.
final class BootTrialTest {
    @TempDir private Path folder;

    private BootTrial trial(String... skipped) {
        return BootTrial.prepare(
                TestRuby.settings(folder + "/app.rb", Map.of(), new TestRuby.Kept()),
                List.of(skipped),
                folder.toString());
    }

    private void write(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    @Test
    void anotherThreadSeesWhereABootIs() throws Exception {
        Path begun = folder.resolve("begun");
        write("slow/part.rb", "File.write('" + begun + "', ''); sleep");
        write("app.rb", "require_relative 'slow/part'");
        CompletableFuture<BootTrial> made = new CompletableFuture<>();
        Thread boot =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            BootTrial trial = trial();
                            made.complete(trial);
                            trial.boot();
                        });
        BootTrial trial = made.get();
        while (!Files.exists(begun)) {
            assertThat(boot.isAlive()).isTrue();
            Thread.onSpinWait();
        }

        List<String> words = trial.hanging(7);

        assertThat(words.get(0)).isEqualTo("hang");
        assertThat(words.get(1)).endsWith("slow/part");
        assertThat(words.get(2)).isEqualTo(folder + "/slow/part.rb:1");
        assertThat(words.get(3)).isEqualTo("was not done after 7 s");
    }

    @Test
    void aRequireIsLeftOutInTheAppAloneAndNotInItsGems() throws IOException {
        write(
                "vendor/lib.rb",
                "begin",
                "  require 'no/such'",
                "rescue LoadError",
                "  $gem = 1",
                "end");
        write(
                "app.rb",
                "$LOAD_PATH << \"#{__dir__}/vendor\"",
                "require 'lib'",
                "require 'no/such'",
                "raise \"the gem saw #{$gem}\"");

        assertThat(trial().boot()).startsWith("missing", "no/such", folder + "/app.rb:3");
        assertThat(trial("no/such").boot().get(3)).isEqualTo("RuntimeError: the gem saw 1");
    }

    @Test
    void theErrorThatWasFirstIsNamedNotThoseMadeOfIt() throws IOException {
        write(
                "a.rb",
                "begin",
                "  require 'no/such'",
                "rescue LoadError",
                "  raise 'install it'",
                "end");
        write("app.rb", "require_relative 'a'");

        List<String> words = trial().boot();

        assertThat(words).startsWith("missing", "no/such", folder + "/a.rb:2");
    }

    @Test
    void errorsThatWereRescuedAreForgotten() throws IOException {
        write("app.rb", "begin", "  require 'no/such'", "rescue LoadError", "end", "raise 'boom'");

        List<String> words = trial().boot();

        assertThat(words).startsWith("raised", folder + "/app.rb", folder + "/app.rb:5");
        assertThat(words).endsWith("last");
    }
}
