package dev.mawashi.presence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Measures how much of the machine's memory a process takes: from `/proc` where there is one, and
/// from `ps` elsewhere, as in Sidekiq.
final class ResidentMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int PS_SECONDS_MAX = 2;

    private final Path status;
    private final List<String> ps;

    /// Measures this process.
    ResidentMemory() {
        this(STATUS, List.of("ps", "-o", "rss=", "-p", "" + ProcessHandle.current().pid()));
    }

    /// @param status in the form of `/proc/self/status`; need not be there
    /// @param ps a command that prints KiB
    ResidentMemory(Path status, List<String> ps) {
        this.status = status;
        this.ps = List.copyOf(ps);
    }

    /// In KiB; 0 where it is unknown.
    long kib() {
        try {
            return Files.isReadable(status) ? ofStatus() : ofPs();
        } catch (IOException | NumberFormatException _) {
            // The record then says 0, as Sidekiq's does where it does not know.
            return 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private long ofStatus() throws IOException {
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }

    private long ofPs() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(ps).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            if (!process.waitFor(PS_SECONDS_MAX, TimeUnit.SECONDS)) {
                return 0;
            }
            byte[] output = process.getInputStream().readAllBytes();
            return Long.parseLong(new String(output, StandardCharsets.US_ASCII).strip());
        } finally {
            process.destroyForcibly();
        }
    }
}
