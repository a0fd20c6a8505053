package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResidentMemoryTest {
    private static final Path NONE = Path.of("/proc/none/status");

    @TempDir Path folder;

    @Test
    void itIsWhatTheSystemSays() throws IOException {
        Path status =
                Files.writeString(
                        folder.resolve("status"),
                        "Name:\tjava\nVmHWM:\t 99 kB\nVmRSS:\t  5120 kB\n");

        assertThat(new ResidentMemory(status, List.of("false")).kib()).isEqualTo(5_120);
    }

    @Test
    void elsewhereItIsWhatPsSays() {
        assertThat(new ResidentMemory(NONE, List.of("echo", "  5120 ")).kib()).isEqualTo(5_120);
    }

    @Test
    void itIsZeroWhereNobodyCanTell() {
        assertThat(new ResidentMemory(NONE, List.of("echo", "no rss")).kib()).isZero();
        assertThat(new ResidentMemory(NONE, List.of("no-such-command")).kib()).isZero();
    }

    @Test
    void theProcessItselfTakesMoreThanItsHeap() {
        long heapKib =
                (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 10;

        assertThat(new ResidentMemory().kib()).isGreaterThan(heapKib / 2).isLessThan(64L << 20);
    }
}
