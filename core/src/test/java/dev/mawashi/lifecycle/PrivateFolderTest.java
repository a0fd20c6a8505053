package dev.mawashi.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir Path folder;

    /// A process that has a folder, and another process noted in it, until it is killed.
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            PrivateFolder held = PrivateFolder.open(Map.of("TMPDIR", arguments[0]));
            Files.writeString(held.newFolder("ruby").resolve("file.rb"), "1");
            Process other = new ProcessBuilder("sleep", "600").start();
            held.note(other.toHandle());
            System.out.println(held.path() + " " + other.pid());
            int _ = System.in.read();
        }
    }

    /// @param path its folder
    /// @param other the process that it noted
    private record Held(Process process, Path path, ProcessHandle other) {
        private void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    private Held hold() throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String line =
                new BufferedReader(
                                new InputStreamReader(
                                        process.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
        String[] words = line.split(" ", -1);
        ProcessHandle other = ProcessHandle.of(Long.parseLong(words[1])).orElseThrow();
        return new Held(process, Path.of(words[0]), other);
    }

    private PrivateFolder open() {
        return PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
    }

    private static Path shared(PrivateFolder own) {
        return Objects.requireNonNull(own.path().getParent());
    }

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    @Test
    void nobodyElseMayEnterItAndCloseRemovesIt() throws IOException {
        PrivateFolder first = open();
        PrivateFolder second = open();
        Files.writeString(second.newFolder("ruby").resolve("file.rb"), "1");
        Files.createSymbolicLink(second.path().resolve("link"), folder);

        assertThat(first.path()).isNotEqualTo(second.path());
        Path shared = shared(first);
        for (Path path : List.of(shared, first.path(), second.newFolder("ruby"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
        }
        first.close();
        second.close();
        assertThat(in(shared)).isEmpty();
        assertThat(folder).isDirectory();
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAndItsProcessesEnded() throws Exception {
        Held held = hold();
        held.kill();
        assertThat(held.path()).isDirectory();
        assertThat(held.other().isAlive()).isTrue();

        try (PrivateFolder next = open()) {
            held.other().onExit().get();
            assertThat(in(shared(next))).containsExactly(next.path());
        }
    }

    @Test
    void whatALivingProcessHoldsIsLeftAlone() throws Exception {
        Held held = hold();
        // As seen from another container, where that id is nobody's.
        Path elsewhere = held.path().resolveSibling("2147483647-0");
        Files.move(held.path(), elsewhere);
        open().close();
        assertThat(elsewhere).isDirectory();
        // A cleaner of old files took the lock's file, and everything else.
        Files.move(elsewhere, held.path());
        Files.delete(held.path().resolve("lock"));
        open().close();
        assertThat(held.path()).isDirectory();
        assertThat(held.other().isAlive()).isTrue();

        held.kill();
        open().close();
        held.other().onExit().get();
        assertThat(held.path()).doesNotExist();
    }

    @Test
    void aFolderThatACleanerRemovedIsMadeAgain() throws IOException {
        try (PrivateFolder own = open()) {
            Files.delete(own.path().resolve("lock"));
            Files.delete(own.path());
            assertThat(own.newFolder("link")).isDirectory();
        }
    }

    @Test
    void oneThatOthersMayEnterOrThatIsNoFolderIsRefused() throws IOException {
        Path shared;
        try (PrivateFolder own = open()) {
            shared = shared(own);
        }
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(shared);
        Files.delete(shared.resolve("lock"));
        Files.delete(shared);
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(shared, other);
        assertRefused(shared);
        assertThat(other).isEmptyDirectory();
    }

    private void assertRefused(Path shared) {
        assertThatThrownBy(this::open)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(
                        shared
                                + ": it is not a folder that this user alone may enter (make room,"
                                + " remove it, or set TMPDIR to another folder)");
    }
}
