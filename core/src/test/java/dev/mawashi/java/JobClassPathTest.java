package dev.mawashi.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobClassPathTest {
    @TempDir Path folder;

    @Test
    void jarsAndFoldersAreTakenInTheirOrder() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path lib = Files.createDirectory(folder.resolve("lib"));
        Path second = jar(lib.resolve("b.jar"));
        Path first = jar(lib.resolve("a.jar"));
        Files.writeString(lib.resolve("notes.txt"), "not a jar");
        Path single = jar(folder.resolve("z.jar"));

        assertThat(JobClassPath.of(single + ":" + lib + "/*:" + classes).entries())
                .containsExactly(single, first, second, classes);
    }

    @Test
    void whatIsNotThereIsAnError() throws IOException {
        Files.writeString(folder.resolve("torn.jar"), "PK");
        Files.createDirectory(folder.resolve("none"));

        assertError(folder + "/nothing.jar", "there is no " + folder + "/nothing.jar");
        assertError(folder + "/torn.jar", "torn.jar is neither a folder nor a jar: ");
        assertError(folder + "/none/*", "there is no jar at " + folder + "/none/*");
        assertError(folder + "/gone/*", "cannot read the folder of " + folder + "/gone/*");
        assertError("", "an entry is empty");
        assertError(folder + "::" + folder, "an entry is empty");
        assertError("a\0b", "a\\0b");
    }

    private static void assertError(String text, String message) {
        assertThatThrownBy(() -> JobClassPath.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message.replace("\\0", "\0"));
    }

    private static Path jar(Path path) throws IOException {
        try (OutputStream file = Files.newOutputStream(path)) {
            new JarOutputStream(file).close();
        }
        return path;
    }
}
