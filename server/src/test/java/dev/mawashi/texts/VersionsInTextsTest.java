package dev.mawashi.texts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Texts name the versions that are in the build, and the oldest Redis and Valkey that are taken.
final class VersionsInTextsTest {
    private static final Pattern IN_THE_BUILD =
            Pattern.compile("<jruby\\.version>(.+?)</jruby\\.version>");

    private static final Pattern OLDEST = Pattern.compile("OLDEST_MAJOR = (\\d+)");
    private static final Pattern JRUBY = Pattern.compile("JRuby ((?:9|1\\d)\\.\\d+(?:\\.\\d+)*)");
    private static final Pattern REDIS =
            Pattern.compile("Redis (?:must be )?(\\d+(?:\\.\\d+)*)(?: or newer|,? (?:or )?Valkey)");
    private static final Pattern VALKEY = Pattern.compile("Valkey (\\d+(?:\\.\\d+)*),? or newer");

    @Test
    void jrubyIsTheOneOfTheBuild() {
        String ours = only(IN_THE_BUILD, Texts.ROOT.resolve("pom.xml"));
        assertThat(named(JRUBY))
                .isNotEmpty()
                .allSatisfy(
                        named -> assertThat(ours + ".").as(named).startsWith(version(named) + "."));
    }

    @Test
    void redisIsTheOldestThatIsTaken() {
        Path inspector =
                Texts.ROOT.resolve("core/src/main/java/dev/mawashi/figures/Inspector.java");
        String oldest = only(OLDEST, inspector) + ".0";
        assertThat(named(REDIS))
                .isNotEmpty()
                .allSatisfy(named -> assertThat(version(named)).as(named).isEqualTo(oldest));
    }

    @Test
    void allPagesNameOneOldestValkey() {
        assertThat(named(VALKEY).stream().map(VersionsInTextsTest::version).distinct()).hasSize(1);
    }

    private static String only(Pattern pattern, Path file) {
        return Texts.groups(pattern, Texts.read(file)).findFirst().orElseThrow();
    }

    /// Each place as `page: version`. The changelog and the measurements tell of other days.
    private static List<String> named(Pattern pattern) {
        return Stream.concat(
                        Texts.usersPages().stream(),
                        Stream.of(Texts.ROOT.resolve("docs/performance.md")))
                .flatMap(page ->
                        Texts.groups(pattern, Texts.read(page)).map(found -> page + ": " + found))
                .toList();
    }

    private static String version(String named) {
        return named.substring(named.lastIndexOf(' ') + 1);
    }
}
