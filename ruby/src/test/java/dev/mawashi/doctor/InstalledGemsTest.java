package dev.mawashi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Gems of a machine, by the folders in which systems have them.
final class InstalledGemsTest {
    @TempDir private Path root;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var/lib/gems/3.1.0",
                "usr/share/rubygems-integration/all",
                "usr/lib/x86_64-linux-gnu/rubygems-integration/3.1.0",
                "usr/local/bundle",
                "usr/local/lib/ruby/gems/3.4.0",
                "app/vendor/bundle/ruby/3.4.0"
            })
    void aGemWithCodeInCIsFoundInTheFoldersOfSystems(String home) throws IOException {
        Path specifications = Files.createDirectories(root.resolve(home + "/specifications"));
        Files.writeString(
                specifications.resolve("fast-1.0.gemspec"),
                "s.extensions = [\"ext/fast/extconf.rb\".freeze]\n");
        Files.writeString(specifications.resolve("plain-1.0.gemspec"), "s.name = \"plain\"\n");

        InstalledGems installed = new InstalledGems(root.resolve("app"), Map.of(), root);

        assertThat(installed.hasExtension("fast", "1.0")).isTrue();
        assertThat(installed.hasExtension("fast", "1.1")).isFalse();
        assertThat(installed.hasExtension("plain", "1.0")).isFalse();
    }

    @Test
    void aMachineWithoutGemsHasNone() {
        InstalledGems installed = new InstalledGems(root.resolve("app"), Map.of(), root);

        assertThat(installed.hasExtension("fast", "1.0")).isFalse();
    }
}
