package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long the JVM keeps the address of a name, which it lets nobody but itself ask.
final class AddressCacheTest {
    /// Says it as the process ends.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .name("mawashi-test-1")
                                    .unstarted(() -> System.out.println(seconds())));
            Main.main(new String[] {"stats", "--redis", "redis://nobody.invalid:1/0"});
        }

        /// Not asked for before: it is read once.
        private static String seconds() {
            try {
                Class<?> policy = Class.forName("sun.net.InetAddressCachePolicy");
                return "kept %s s, a failure %s s"
                        .formatted(
                                policy.getMethod("get").invoke(null),
                                policy.getMethod("getNegative").invoke(null));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void anAddressIsForgottenLongBeforeALeaseEnds() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:+UseSerialGC",
                                        "--add-exports",
                                        "java.base/sun.net=ALL-UNNAMED",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Program.class.getName()))
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(printed).isOne();
        assertThat(printed)
                .contains("mawashi: cannot reach redis://nobody.invalid:1/0")
                .endsWith("kept 2 s, a failure 1 s\n");
    }
}
