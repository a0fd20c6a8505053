package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./mawashi prepare` hands to later starts: the launcher's own script, and a real JVM.
final class StartCacheIT {
    private static final Path SCRIPT = Path.of("../bin/start-cache.sh").toAbsolutePath();
    private static final String USES = "-XX:AOTCache=";

    @TempDir Path folder;
    private Path home = Path.of("");
    private Path jar = Path.of("");

    /// What is rehearsed and started: the JVM takes into a cache only what comes from a jar.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            System.out.println("ran, " + System.getProperty("java.vm.info"));
            System.exit(arguments.length == 1 && arguments[0].equals("fails") ? 1 : 0);
        }
    }

    private static final Ended SHARING = new Ended(0, "ran, mixed mode, sharing\n");
    private static final Ended WITHOUT = new Ended(0, "ran, mixed mode\n");

    private record Ended(int code, String output) {}

    @BeforeEach
    void packProgram() throws IOException {
        home = Files.createDirectory(folder.resolve("a home"));
        jar = home.resolve("program.jar");
        String entry = Program.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = StartCacheIT.class.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new ZipEntry(entry));
            Objects.requireNonNull(bytes).transferTo(out);
        }
    }

    @Test
    void aStartTakesOverWhatWasPreparedAndGoesWithoutWhatDoesNotFit() throws Exception {
        assertThat(flags(Map.of())).isEmpty();
        Path cache = home.resolve(".mawashi/start/commands.aot");
        assertThat(prepare("commands")).isEqualTo(new Ended(0, cache + "\n"));

        assertThat(cache.resolveSibling("commands.aot")).isNotEmptyFile();

        List<String> flags = flags(Map.of());
        assertThat(flags).contains(USES + cache);
        flags.add("-Xlog:class+load:file=" + folder.resolve("loaded.txt"));
        assertThat(java(flags)).isEqualTo(SHARING);
        assertThat(folder.resolve("loaded.txt"))
                .content()
                .contains(Program.class.getName() + " source: shared objects file");

        Files.write(cache, new byte[4_096]);
        assertThat(java(flags(Map.of()))).isEqualTo(WITHOUT);
    }

    /// The JVM of JDK 25.0.3 takes one: it looks at no jar here, and would run the old classes.
    @Test
    void aCacheOfOtherJarsIsNotTaken() throws Exception {
        prepare("commands");
        byte[] old = Files.readAllBytes(jar);

        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("another"));
        }
        assertThat(flags(Map.of())).isEmpty();
        Files.delete(jar);
        assertThat(flags(Map.of())).isEmpty();

        Files.write(jar, old);
        assertThat(flags(Map.of("LC_ALL", "de_DE.UTF-8"))).isNotEmpty();
        jar = Files.move(jar, home.resolve("next.jar"));
        assertThat(flags(Map.of())).isEmpty();
    }

    /// By a kill, or by an older Mawashi, which wrote no names. Long: two caches;
    /// `aCacheOfOtherJarsIsNotTaken` reads the same file.
    @Tag("long")
    @Test
    void aCacheWithoutItsJarsIsNotTaken() throws Exception {
        prepare("commands");
        Files.delete(home.resolve(".mawashi/start/commands.aot.jars"));

        assertThat(flags(Map.of())).isEmpty();
        assertThat(prepare("commands").code()).isZero();
        assertThat(flags(Map.of())).isNotEmpty();
    }

    @Test
    void aRehearsalThatFailsLeavesNothing() throws Exception {
        Ended failed = prepare("fails");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.output()).contains("mawashi: could not prepare");
        assertThat(home.resolve(".mawashi/start")).isEmptyDirectory();
        assertThat(folder.resolve("tmp")).isEmptyDirectory();
    }

    /// Long: a cache more.
    @Tag("long")
    @Test
    void whatOneThatWasKilledHasLeftGoesWithTheNext() throws Exception {
        Path caches = Files.createDirectories(home.resolve(".mawashi/start"));
        Path left = Files.writeString(caches.resolve("commands.7.new"), "half");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path underWay = Files.writeString(caches.resolve("run.8.new"), "half");

        assertThat(prepare("commands").code()).isZero();

        assertThat(left).doesNotExist();
        assertThat(underWay).exists();
    }

    /// Long: a cache more.
    @Tag("long")
    @Test
    void whereTheReleaseCannotBeWrittenTheCacheIsTheUsersOwn() throws Exception {
        Files.writeString(home.resolve(".mawashi"), "");
        String own = folder.resolve("cache") + "/mawashi/start" + home.toString().replace('/', '%');
        assertThat(prepare("commands")).isEqualTo(new Ended(0, own + "/commands.aot\n"));
        assertThat(flags(Map.of())).contains(USES + own + "/commands.aot");

        assertThat(flags(Map.of("XDG_CACHE_HOME", "not/absolute"))).isEmpty();
        assertThat(flags(Map.of("XDG_CACHE_HOME", "", "HOME", ""))).isEmpty();
    }

    @Test
    void whoHasACacheOfTheirOwnGetsNone() throws Exception {
        prepare("commands");
        Map<String, String> own = Map.of("MAWASHI_JAVA_OPTS", "-XX:SharedArchiveFile=own.jsa");
        assertThat(flags(Map.of())).isNotEmpty();
        assertThat(flags(own)).isEmpty();
    }

    private Ended prepare(String kind) throws IOException, InterruptedException {
        return script("make_start_caches " + kind, Map.of());
    }

    private List<String> flags(Map<String, String> environment)
            throws IOException, InterruptedException {
        String print = "; printf '%s\\n' \"${flags[@]+\"${flags[@]}\"}\"";
        Ended ended = script("use_start_cache commands" + print, environment);
        assertThat(ended.code()).as(ended.output()).isZero();
        return new ArrayList<>(ended.output().lines().filter(l -> !l.isEmpty()).toList());
    }

    private Ended script(String command, Map<String, String> environment)
            throws IOException, InterruptedException {
        String script =
                """
                set -euo pipefail
                fail() { echo "mawashi: $*" >&2; exit 1; }
                set_flags() { :; }
                . '%s'
                home='%s' JDK='%s' cached_path='%s' flags=() rehearsal_class='%s'
                %s
                """
                        .formatted(
                                SCRIPT,
                                home,
                                System.getProperty("java.home"),
                                jar,
                                Program.class.getName(),
                                command);
        return output(List.of("bash", "-c", script), environment);
    }

    private Ended java(List<String> flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", jar.toString(), Program.class.getName()));
        return output(command, Map.of());
    }

    private Ended output(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true);
        List.of("MAWASHI_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .forEach(builder.environment()::remove);
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
