package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The host in a process's name is the one that Sidekiq takes, also where it cannot be resolved.
@Tag("stack")
final class OwnNameIT {
    @TempDir private Path folder;

    /// Tells the name of its process.
    static final class Teller {
        private Teller() {}

        public static void main(String[] arguments) {
            System.out.print(OwnName.of(Map.of()).identity());
        }
    }

    @Test
    void theHostIsTheOneThatRubyTells() throws IOException {
        assertThat(OwnName.of(Map.of()).identity()).startsWith(rubysHost() + ":");
    }

    @Test
    void aHostThatCannotBeResolvedHasItsNameAllTheSame() throws IOException {
        Path nobody = Files.createFile(folder.resolve("hosts"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String told =
                output(
                        java,
                        "-XX:+UseSerialGC",
                        "-Djdk.net.hosts.file=" + nobody,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Teller.class.getName());

        assertThat(told).startsWith(rubysHost() + ":");
    }

    private static String rubysHost() throws IOException {
        return output("ruby", "-rsocket", "-e", "print Socket.gethostname");
    }

    private static String output(String... words) throws IOException {
        Process process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void aDynoIsNamedByItsVariable() {
        assertThat(OwnName.of(Map.of("DYNO", "worker.1")).identity()).startsWith("worker.1:");
    }
}
