package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a server says of its health, as `./mawashi health` has it.
final class HealthTest {
    private static final String PID = Long.toString(ProcessHandle.current().pid());

    @TempDir Path folder;

    private record Ended(int code, String output) {}

    @Test
    void theProbeTellsWhetherEachServerHereCanRunJobs() throws Exception {
        assertThat(probe().output()).contains("no server works here");
        assertThat(probe().code()).isOne();
        PrivateFolder own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
        Path file = own.path().resolve("health");

        say(own, "");
        assertThat(probe()).isEqualTo(new Ended(0, PID + " ok\n"));
        assertThat(probe(PID).code()).isZero();
        assertThat(probe("1" + PID).code()).isOne();
        assertThat(probe("web").code()).isEqualTo(2);

        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        assertThat(probe().output()).startsWith(PID + " hangs");
        assertThat(probe().code()).isOne();

        // Also after a cleaner of old files.
        Files.delete(file);
        Files.delete(own.path().resolve("lock"));
        Files.delete(own.path());
        say(own, "no child process:\nruby is gone");
        assertThat(probe()).isEqualTo(new Ended(1, PID + " no child process: ruby is gone\n"));

        // A killed server's.
        Path left = own.path().resolveSibling("2147483647-0");
        Files.move(own.path(), left);
        assertThat(probe().output()).contains("no server works here");
        Files.move(left, own.path());
        own.close();
        assertThat(probe().code()).isOne();
    }

    private static void say(PrivateFolder own, String trouble) {
        Health health = new Health(own, () -> trouble, null);
        health.start();
        Eventually.until("it is said", () -> Files.exists(own.path().resolve("health")));
        health.stop(Duration.ofSeconds(10));
    }

    private Ended probe(String... words) throws IOException, InterruptedException {
        Path launcher = Path.of("../mawashi").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of(launcher.toString(), "health"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TMPDIR", folder.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
