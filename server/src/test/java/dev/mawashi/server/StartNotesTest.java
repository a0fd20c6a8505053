package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In a process of its own, whose JVM takes notes.
final class StartNotesTest {
    @TempDir Path folder;
    private Path jar = Path.of("");
    private Path cache = Path.of("");

    /// Says something before and after, itself and through another process.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            System.out.print("out ");
            System.err.print("err");
            switch (arguments[0]) {
                case "keep" -> StartNotes.keep();
                case "halt" -> StartNotes.halt(3);
                default -> StartNotes.exit(3);
            }
            System.out.println("more");
            System.err.println("more");
            new ProcessBuilder("echo", "more").inheritIO().start().waitFor();
            StartNotes.exit(0);
        }
    }

    /// The JVM takes into a cache only what comes from a jar.
    @BeforeEach
    void packPrograms() throws IOException {
        cache = folder.resolve("cache.aot");
        jar = folder.resolve("program.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> packed : List.of(StartNotes.class, Program.class)) {
                String entry = packed.getName().replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(entry));
                try (InputStream bytes = StartNotesTest.class.getResourceAsStream("/" + entry)) {
                    Objects.requireNonNull(bytes).transferTo(out);
                }
            }
        }
    }

    @Test
    void notesAreKeptInSilence() throws Exception {
        assertThat(run("keep", true)).isEqualTo("out err, 0");
        assertThat(cache).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource({"exit, true", "exit, false", "halt, true", "halt, false"})
    void otherEndsMakeNoCacheAndLeaveNothing(String end, boolean takesNotes) throws Exception {
        assertThat(run(end, takesNotes)).isEqualTo("out err, 3");
        assertThat(folder).isDirectoryNotContaining("glob:**cache.aot*");
    }

    /// @return what was printed, and the exit code
    private String run(String end, boolean takesNotes) throws Exception {
        List<String> notes =
                takesNotes
                        ? List.of("-XX:AOTCacheOutput=" + cache, "-Dmawashi.takesNotes=" + cache)
                        : List.of();
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(notes);
        builder.command().add("--enable-native-access=ALL-UNNAMED");
        builder.command().addAll(List.of("-cp", jar.toString(), Program.class.getName(), end));
        builder.redirectErrorStream(true);
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return output + ", " + process.waitFor();
    }
}
