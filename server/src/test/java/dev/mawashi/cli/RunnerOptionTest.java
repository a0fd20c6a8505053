package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.config.RunnerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which runner an app gets where neither a flag nor the file names one.
class RunnerOptionTest {
    @TempDir Path folder;

    private final RunnerOption option = new RunnerOption();
    private Path app;
    private Map<String, String> withRuby;

    @BeforeEach
    void makeAnApp() throws IOException {
        app =
                Files.createFile(
                        Files.createDirectories(folder.resolve("app/lib")).resolve("jobs.rb"));
        Path programs = Files.createDirectory(folder.resolve("bin"));
        Files.setPosixFilePermissions(
                Files.createFile(programs.resolve("ruby")),
                PosixFilePermissions.fromString("rwxr-xr-x"));
        withRuby = Map.of("PATH", programs.toString());
    }

    private @Nullable RunnerKind chosen(Map<String, String> environment) {
        return option.choose(app.toString(), null, environment).all().runner();
    }

    @Test
    void anAppWithoutGemfileRunsOnJruby() {
        assertThat(chosen(withRuby)).isEqualTo(RunnerKind.JRUBY);
        assertThat(option.reason()).startsWith("runner jruby, since no Gemfile is beside or above");
    }

    @Test
    void aGemfileAboveTheFileMeansMri() throws IOException {
        Files.createFile(folder.resolve("app/Gemfile"));

        assertThat(chosen(withRuby)).isEqualTo(RunnerKind.MRI);
        assertThat(option.reason())
                .startsWith("runner mri, since there is a Gemfile and a ruby on PATH");
    }

    @Test
    void aGemfileThatTheEnvironmentNamesMeansMri() {
        Map<String, String> environment =
                Map.of("PATH", withRuby.get("PATH"), "BUNDLE_GEMFILE", "/elsewhere/Gemfile");

        assertThat(chosen(environment)).isEqualTo(RunnerKind.MRI);
    }

    @Test
    void withoutRubyAGemfileMeansJruby() throws IOException {
        Files.createFile(folder.resolve("app/lib/Gemfile"));

        assertThat(chosen(Map.of("PATH", "/nowhere"))).isEqualTo(RunnerKind.JRUBY);
        assertThat(option.reason()).startsWith("runner jruby, since no ruby is on PATH");
    }
}
