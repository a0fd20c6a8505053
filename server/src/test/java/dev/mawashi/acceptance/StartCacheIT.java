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
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./mawashi run` hands from one start of an app to the next: the launcher's own script, and
/// a real JVM with the flags that it gives.
final class StartCacheIT {
    private static final Path SCRIPT = Path.of("../bin/start-cache.sh").toAbsolutePath();
    private static final String TAKES_NOTES = "-XX:AOTCacheOutput=";
    private static final String USES = "-XX:AOTCache=";

    @TempDir Path folder;
    private Path jar = Path.of("");

    /// What is started: the JVM takes into a cache only what comes from a jar.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            System.out.println("ran");
        }
    }

    @BeforeEach
    void packProgram() throws IOException {
        jar = folder.resolve("program.jar");
        String entry = Program.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                InputStream bytes = StartCacheIT.class.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new ZipEntry(entry));
            Objects.requireNonNull(bytes).transferTo(out);
        }
    }

    @Test
    void theSecondStartTakesNotesAndTheThirdUsesThem() throws Exception {
        assertThat(flags(Map.of(), "-r", "app.rb")).isEmpty();

        List<String> second = flags(Map.of(), "-r", "app.rb");
        assertThat(second).anyMatch(flag -> flag.startsWith(TAKES_NOTES));
        assertThat(java(second)).startsWith("ran\n");

        List<String> third = flags(Map.of(), "-r", "app.rb");
        assertThat(third).anyMatch(flag -> flag.startsWith(USES));
        third.add("-Xlog:class+load:file=" + folder.resolve("loaded.txt"));
        assertThat(java(third)).isEqualTo("ran\n");
        assertThat(Files.readString(folder.resolve("loaded.txt")))
                .contains(Program.class.getName() + " source: shared objects file");
    }

    @Test
    void anotherAppRunnerOrJarHasItsOwn() throws Exception {
        Path made = made("-r", "app.rb", "--runner", "jruby");
        assertThat(flags(Map.of(), "-rapp.rb", "-c", "7", "--runner=jruby")).contains(USES + made);
        assertThat(flags(Map.of(), "-r", "other.rb", "--runner", "jruby")).isEmpty();
        assertThat(flags(Map.of(), "-r", "app.rb", "--runner", "mri")).isEmpty();

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
        assertThat(flags(Map.of(), "-r", "app.rb", "--runner", "jruby")).isEmpty();
    }

    @Test
    void aFileCutShortIsMadeAnew() throws Exception {
        Path made = made("-r", "app.rb");
        Files.write(made, new byte[4_096]);
        assertThat(flags(Map.of(), "-r", "app.rb")).anyMatch(flag -> flag.startsWith(TAKES_NOTES));
        assertThat(made).doesNotExist();
    }

    @Test
    void whatAKilledServerLeftIsRemoved() throws Exception {
        Path made = made("-r", "app.rb");
        Path left = Files.write(Path.of(made + ".1.new"), new byte[4_096]);
        Path config = Files.write(Path.of(made + ".1.new.config"), new byte[4_096]);
        for (Path file : List.of(left, config)) {
            Files.setLastModifiedTime(
                    file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        assertThat(flags(Map.of(), "-r", "app.rb")).contains(USES + made);
        assertThat(left).doesNotExist();
        assertThat(config).doesNotExist();
    }

    @Test
    void withFlagsOfTheUsersNoNotesAreTaken() throws Exception {
        Map<String, String> own = Map.of("MAWASHI_JAVA_OPTS", "-javaagent:agent.jar");
        assertThat(flags(own, "-r", "app.rb")).isEmpty();
        assertThat(flags(own, "-r", "app.rb")).isEmpty();
    }

    @Test
    void withoutAFolderForCachesNothingIsDone() throws Exception {
        assertThat(flags(Map.of("XDG_CACHE_HOME", "not/absolute"), "-r", "app.rb")).isEmpty();
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(flags(Map.of("XDG_CACHE_HOME", file.toString()), "-r", "app.rb")).isEmpty();
        assertThat(flags(Map.of("XDG_CACHE_HOME", "", "HOME", ""), "-r", "app.rb")).isEmpty();
    }

    /// A cache as two starts leave it behind, though no JVM would take it.
    private Path made(String... words) throws Exception {
        assertThat(flags(Map.of(), words)).isEmpty();
        String output =
                flags(Map.of(), words).stream()
                        .filter(flag -> flag.startsWith(TAKES_NOTES))
                        .findFirst()
                        .orElseThrow();
        Path written = Path.of(output.substring(TAKES_NOTES.length()));
        byte[] header = {(byte) 0xa2, (byte) 0xab, 0x0b, (byte) 0xf0};
        Files.write(written, header);
        assertThat(flags(Map.of(), words)).anyMatch(flag -> flag.startsWith(USES));
        try (Stream<Path> files = Files.list(written.getParent())) {
            return files.filter(file -> file.toString().endsWith(".aot")).findFirst().orElseThrow();
        }
    }

    private List<String> flags(Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        String script =
                """
                . '%s'; set -euo pipefail
                JDK='%s' class_path='%s' flags=()
                use_start_cache run "$@"
                printf '%%s\n' "${flags[@]+"${flags[@]}"}"
                """
                        .formatted(SCRIPT, System.getProperty("java.home"), jar);
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "start-cache"));
        command.addAll(List.of(words));
        return new ArrayList<>(
                output(command, environment).lines().filter(l -> !l.isEmpty()).toList());
    }

    private String java(List<String> flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", jar.toString(), Program.class.getName()));
        return output(command, Map.of());
    }

    private String output(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true);
        List.of("MAWASHI_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .forEach(builder.environment()::remove);
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
