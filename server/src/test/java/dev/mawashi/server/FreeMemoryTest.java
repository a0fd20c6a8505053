package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FreeMemoryTest {
    private static final long MIB = 1 << 20;

    @TempDir private Path folder;

    private FreeMemory memory() {
        return new FreeMemory(folder.resolve("proc"), folder.resolve("cgroup"));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void withoutAnyWordOfTheKernelItIsNotKnown() {
        assertThat(memory().mib()).isEmpty();
    }

    @Test
    void withoutALimitOfAGroupTheMachineCounts() throws IOException {
        write("proc/meminfo", "MemTotal: 9999999 kB\nMemAvailable:     2048000 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("cgroup/a/b/memory.max", "max\n");
        write("cgroup/a/b/memory.current", "1\n");
        assertThat(memory().mib()).hasValue(2_000);
    }

    @Test
    void theTightestGroupCountsWithoutWhatItOnlyCaches() throws IOException {
        write("proc/meminfo", "MemAvailable: 2048000 kB\n");
        write("proc/self/cgroup", "1:name=systemd:/x\n0::/a/b\n");
        write("cgroup/a/memory.max", 500 * MIB + "\n");
        write("cgroup/a/memory.current", 400 * MIB + "\n");
        write("cgroup/a/memory.stat", "anon 5\ninactive_file " + 30 * MIB + "\nfile 9\n");
        write("cgroup/a/b/memory.max", 900 * MIB + "\n");
        write("cgroup/a/b/memory.current", 400 * MIB + "\n");
        assertThat(memory().mib()).hasValue(130);
    }
}
