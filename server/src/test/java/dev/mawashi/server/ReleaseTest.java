package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.children.ChildFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReleaseTest {
    @TempDir private Path folder;
    private Path one;
    private Path two;
    private Path link;

    @BeforeEach
    void make() throws IOException {
        Path real = folder.toRealPath();
        one = Files.createDirectory(real.resolve("one"));
        two = Files.createDirectory(real.resolve("two"));
        link = real.resolve("current");
        Files.createSymbolicLink(link, one);
    }

    private void lead(Path release) throws IOException {
        Files.delete(link);
        Files.createSymbolicLink(link, release);
    }

    @Test
    void aLinkThatTheShellNamesIsFollowedAnew() throws IOException {
        Map<String, String> given =
                Map.of(
                        "PWD", link.toString(),
                        "BUNDLE_GEMFILE", one + "/Gemfile",
                        "RUBYOPT", "-r" + one + "/bundle/setup -r" + one + "two/x",
                        "OTHER", one + "/Gemfile");
        Release release = Release.of(given, null, one);
        assertThat(release.home().folder()).isNull();
        assertThat(release.home().environment()).isEqualTo(given);

        lead(two);

        assertThat(release.home().folder()).isEqualTo(two);
        assertThat(release.home().environment())
                .containsEntry("BUNDLE_GEMFILE", two + "/Gemfile")
                .containsEntry("RUBYOPT", "-r" + two + "/bundle/setup -r" + one + "two/x")
                .containsEntry("OTHER", one + "/Gemfile");
    }

    @Test
    void aLinkThatTheFlagNamesIsFollowedAnew() throws IOException {
        Release release = Release.of(Map.of("PWD", one.toString()), link.toString(), one);
        lead(two);
        assertThat(release.home().folder()).isEqualTo(two);
    }

    @Test
    void aNameOfAnotherFolderIsNone() throws IOException {
        Release release = Release.of(Map.of("PWD", two.toString()), "./jobs.rb", one);
        lead(two);
        assertThat(release.home().folder()).isNull();
    }

    @Test
    void aProcessWhoseOwnFolderCannotBeLookedUpStaysThere() {
        Release release = Release.of(Map.of(), null, folder.resolve("gone"));
        assertThat(release.home().folder()).isNull();
    }

    @Test
    void aFolderThatIsGoneIsNamed() throws IOException {
        Release release = Release.of(Map.of("PWD", link.toString()), null, one);
        Files.delete(link);
        assertThatThrownBy(release::home)
                .isInstanceOf(ChildFailure.class)
                .hasMessage("the app's folder " + link + " is not there");
    }
}
