package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultTagTest {
    @TempDir Path folder;
    private Path release;

    @BeforeEach
    void deploy() throws IOException {
        release = Files.createDirectories(folder.resolve("shop/releases/20261121014800"));
        Files.createSymbolicLink(folder.resolve("shop/current"), release);
    }

    @Test
    void itIsTheDirectorysName() {
        assertThat(DefaultTag.of(".", folder.resolve("shop"))).isEqualTo("shop");
        assertThat(DefaultTag.of(null, folder.resolve("shop"))).isEqualTo("shop");
        assertThat(DefaultTag.of("shop", folder)).isEqualTo("shop");
        assertThat(DefaultTag.of("./jobs/all.rb", folder.resolve("shop"))).isEqualTo("shop");
        assertThat(DefaultTag.of("gone/../away", folder)).isEqualTo("away");
        assertThat(DefaultTag.of("/", folder)).isEmpty();
    }

    @Test
    void ofACapistranoReleaseItIsTheApps() {
        assertThat(DefaultTag.of(".", release)).isEqualTo("shop");
        assertThat(DefaultTag.of(".", folder.resolve("shop/current"))).isEqualTo("shop");
        assertThat(DefaultTag.of(release.toString(), folder)).isEqualTo("shop");
        assertThat(DefaultTag.of("jobs.rb", release)).isEqualTo("shop");
    }

    @Test
    void otherDirectoriesAmongReleasesKeepTheirNames() throws IOException {
        Path other = Files.createDirectories(folder.resolve("shop/releases/latest"));
        Path number = Files.createDirectories(folder.resolve("shop/42"));

        assertThat(DefaultTag.of(".", other)).isEqualTo("latest");
        assertThat(DefaultTag.of(".", number)).isEqualTo("42");
    }
}
