package dev.mawashi.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A heap that grows until it is nearly full, in a JVM of its own with each collector.
class HeapAlarmIT {
    @ParameterizedTest
    @ValueSource(strings = {"Serial", "G1", "Parallel", "Z"})
    void aHeapThatGrowsIsNamed(String collector) throws IOException {
        Process program =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx96m",
                                        "-XX:+Use" + collector + "GC",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        HeapFiller.class.getName()))
                        .redirectErrorStream(true)
                        .start();

        String printed = new String(program.getInputStream().readAllBytes(), UTF_8);

        assertThat(printed)
                .contains("before: []")
                .containsPattern("after: \\[heap_full.*: [89]\\d % of [89]\\d MiB; see");
    }
}
