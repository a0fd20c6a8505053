package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// In a process of its own, which is not heard of again.
final class SilenceTest {
    /// Says something before and after, itself and through another process.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            System.out.print("out ");
            System.err.print("err");
            Silence.begin();
            System.out.println("more");
            System.err.println("more");
            new ProcessBuilder("echo", "more").inheritIO().start().waitFor();
        }
    }

    @Test
    void nothingIsSeenAfterIt() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Program.class.getName())
                        .redirectErrorStream(true)
                        .start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEqualTo("out err");
        assertThat(process.waitFor()).isZero();
    }
}
