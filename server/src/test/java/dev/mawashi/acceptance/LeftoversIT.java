package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a server writes while it lives, and what is left of that once it was killed.
final class LeftoversIT {
    @TempDir Path folder;

    @Test
    void theNextStartRemovesWhatAKilledServerLeft() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Map<String, String> environment = Map.of("TMPDIR", temporary.toString());
        try (Workplace place = new Workplace(folder)) {
            Child killed = place.runOnMri(environment);
            killed.awaitLog("working on");
            Path ours = only(temporary);
            Path left = only(ours);
            ProcessHandle parent = parent(left);
            // It cannot notice that the server is gone.
            signal("STOP", parent);
            killed.kill();
            assertThat(left).isDirectory();

            Child next = place.runOnMri(environment);
            next.awaitLog("working on");
            assertThat(left).doesNotExist();
            Eventually.until("the parent is gone", () -> !parent.isAlive());
            assertThat(only(ours)).isNotEqualTo(left);
            assertThat(only(temporary)).isEqualTo(ours);

            next.signal("TERM");
            assertThat(next.awaitExit()).as(next::log).isZero();
            assertThat(next.log()).doesNotContain("\tat ", "Exception");
            assertThat(folders(ours)).isEmpty();
        }
    }

    @Test
    void aStopOfTheWholeGroupWhileTheAppIsLoadedIsHeeded() throws Exception {
        Path go = folder.resolve("go");
        Path app =
                Files.writeString(
                        folder.resolve("slow.rb"),
                        """
                        $stdout.sync = true
                        puts "loading"
                        IO.select(nil, nil, nil, 0.01) until File.exist?("%s")
                        puts "still there"
                        IO.select(nil, nil, nil, 1)
                        """
                                .formatted(go));
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.mawashi(
                            Workplace.NO_GEMS, "run", "-r", app.toString(), "--runner", "mri");
            server.awaitLog("loading");
            ProcessHandle.of(server.pid())
                    .orElseThrow()
                    .descendants()
                    .forEach(process -> signal("TERM", process));
            // The server alone decides what becomes of its processes.
            Files.createFile(go);
            server.awaitLog("still there");
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("SignalException");
        }
    }

    private static ProcessHandle parent(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            String name =
                    files.map(file -> file.getFileName().toString())
                            .filter(file -> file.startsWith("process-"))
                            .findFirst()
                            .orElseThrow();
            return ProcessHandle.of(Long.parseLong(name.split("-", 3)[1])).orElseThrow();
        }
    }

    private static void signal(String name, ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Path only(Path folder) throws IOException {
        assertThat(folders(folder)).hasSize(1);
        return folders(folder).getFirst();
    }

    private static List<Path> folders(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isDirectory).toList();
        }
    }
}
