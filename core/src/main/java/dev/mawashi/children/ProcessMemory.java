package dev.mawashi.children;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Reads from Linux how much memory a process uses: its proportional share, in which a page that n
/// processes share counts as the n-th part, so that what the parent loaded is not held against each
/// child. It adds up all pages of the process, which takes milliseconds for a large one.
public final class ProcessMemory {
    private static final String SHARE = "Pss:";

    private ProcessMemory() {}

    /// In KiB; empty when unknown, as when the process has ended.
    public static OptionalLong kib(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
                if (line.startsWith(SHARE)) {
                    String kib = line.substring(SHARE.length()).replace("kB", "").strip();
                    return OptionalLong.of(Long.parseLong(kib));
                }
            }
            return OptionalLong.empty();
        } catch (IOException | NumberFormatException _) {
            return OptionalLong.empty();
        }
    }
}
