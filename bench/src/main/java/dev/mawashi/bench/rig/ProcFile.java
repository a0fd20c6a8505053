package dev.mawashi.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The kernel's figures of a process, in `/proc`. Without that (no Linux, or the process has ended)
/// all figures are 0.
public record ProcFile(long pid) {
    private static final long KIB = 1_024;

    /// The unit of `/proc/PID/stat`, the same on every Linux.
    private static final double TICKS_PER_SECOND = 100;

    /// The index of utime among its fields after the name; stime and the times of the children that
    /// were waited for follow.
    private static final int UTIME = 11;

    private static final int STIME = 12;
    private static final int CUTIME = 13;
    private static final int CSTIME = 14;

    /// CPU time of the process and of its children that have ended.
    double cpuSeconds() {
        return cpuSeconds(read("stat"), UTIME, CSTIME);
    }

    /// CPU time of its children that have ended, and of theirs.
    double endedSeconds() {
        return cpuSeconds(read("stat"), CUTIME, CSTIME);
    }

    /// CPU time of each thread, by its number and the first 15 letters of its name.
    Map<String, Double> threadSeconds() {
        Map<String, Double> seconds = new HashMap<>();
        for (String thread : list("task")) {
            String stat = read("task/" + thread + "/stat");
            if (!stat.isEmpty()) {
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                seconds.put(thread + " " + name, cpuSeconds(stat, UTIME, STIME));
            }
        }
        return seconds;
    }

    private static double cpuSeconds(String stat, int first, int last) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        double ticks = 0;
        for (int i = first; i <= last && i < fields.length; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /// Largest resident set so far.
    long peakBytes() {
        return bytes("status", "VmHWM:");
    }

    /// Resident set now.
    long residentBytes() {
        return bytes("status", "VmRSS:");
    }

    /// Resident set now, of pages that it shares only its part.
    long proportionalBytes() {
        return bytes("smaps_rollup", "Pss:");
    }

    long threads() {
        return list("task").size();
    }

    /// Open files, sockets and pipes.
    long descriptors() {
        return list("fd").size();
    }

    /// The words that it was started with.
    List<String> command() {
        return List.of(read("cmdline").split("\0", -1));
    }

    /// Whether the program is called `java`.
    boolean isJvm() {
        return Path.of(command().getFirst()).endsWith("java");
    }

    private long bytes(String file, String field) {
        return read(file)
                .lines()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                .sum();
    }

    private String read(String file) {
        try {
            return Files.readString(folder().resolve(file));
        } catch (IOException _) {
            return "";
        }
    }

    private List<String> list(String name) {
        try (Stream<Path> files = Files.list(folder().resolve(name))) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private Path folder() {
        return Path.of("/proc", Long.toString(pid));
    }
}
