package dev.mawashi.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Unpacks the tarball that this build has made, and uses it as a stranger would.
final class TarballIT {
    private static final Path TARBALL = Path.of(System.getProperty("mawashi.tarball"));
    private static final String NAME = "mawashi-" + System.getProperty("mawashi.version");
    private static final long MINUTES_MAX = 3;

    @TempDir private static Path folder;

    private static Path home;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void unpack() throws Exception {
        // People's folders have spaces.
        Path place = Files.createDirectory(folder.resolve("a place"));
        assertThat(run(place, "tar", "-xzf", TARBALL.toString()).code()).isZero();
        home = place.resolve(NAME);
    }

    private static Ended run(Path in, String... words) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .directory(in.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().remove("MAWASHI_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new Ended(
                process.waitFor(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    @Test
    void allOfItLiesInOneFolderThatBearsTheVersion() throws Exception {
        List<String> names = run(folder, "tar", "-tzf", TARBALL.toString()).out().lines().toList();
        assertThat(names).allMatch(name -> name.startsWith(NAME + "/"));
        assertThat(names)
                .contains(
                        NAME + "/mawashi",
                        NAME + "/LICENSE",
                        NAME + "/README.md",
                        NAME + "/CHANGELOG.md",
                        NAME + "/docs/guide/install.md",
                        NAME + "/examples/hello/hello.rb")
                .doesNotHaveDuplicates();
    }

    /// Neither who built it nor when shows in it.
    @Test
    void itsEntriesHaveOneTimeAndOneOwner() throws Exception {
        Ended ended =
                run(folder, "tar", "--numeric-owner", "--full-time", "-tvzf", TARBALL.toString());
        Set<String> modes = new HashSet<>();
        Set<String> owners = new HashSet<>();
        Set<String> times = new HashSet<>();
        for (String line : ended.out().lines().toList()) {
            // Mode, owner, size, date, time, name.
            String[] columns = line.split("\\s+", 6);
            modes.add(columns[0]);
            owners.add(columns[1]);
            times.add(columns[3] + columns[4]);
        }
        assertThat(modes).containsExactlyInAnyOrder("drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--");
        assertThat(owners).containsExactly("0/0");
        assertThat(times).hasSize(1);
    }

    /// Beside each other, two libraries of one kind would be a matter of luck.
    @Test
    void itHoldsEachLibraryOnceAndNoneOfTheTests() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            jars.forEach(jar -> names.add(jar.getFileName().toString()));
        }
        assertThat(names).anyMatch(name -> name.matches("mawashi-server-[0-9.]+\\.jar"));
        assertThat(names).noneMatch(name -> name.matches(".*(-tests|junit|assertj|bench).*"));
        assertThat(names.stream().map(name -> name.replaceFirst("-[0-9.]+\\.jar$", "")))
                .doesNotHaveDuplicates();
    }

    @Test
    void itTellsItsVersion() throws Exception {
        Ended ended = run(home, "./mawashi", "version");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .startsWith("Mawashi " + System.getProperty("mawashi.version") + "\n");
        assertThat(ended.code()).isZero();
    }

    /// It may belong to root, so nothing is to be written there.
    @Test
    void itRunsTheDemoAndLeavesItsFolderAsItIs() throws Exception {
        String before = listing();
        Ended ended = run(folder, home + "/mawashi", "demo");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("0 waiting, 0 scheduled, 0 to retry, 0 dead.");
        assertThat(listing()).isEqualTo(before);
    }

    private static String listing() throws Exception {
        return run(folder, "find", home.toString(), "-printf", "%p %s %T@\n").out();
    }

    @Test
    void whatNeedsACheckoutSaysSo() throws Exception {
        for (String command : List.of("bench", "package")) {
            Ended ended = run(home, "./mawashi", command);
            assertThat(ended.err().lines())
                    .singleElement()
                    .asString()
                    .contains(command + " runs only in a checkout of the sources");
            assertThat(ended.out()).isEmpty();
            assertThat(ended.code()).isNotZero();
        }
    }
}
