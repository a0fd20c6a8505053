package dev.mawashi.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// The memory that further processes of this server may take: what the machine has left, and what
/// each of its control groups (version 2) has left. Files that the kernel only caches count as
/// free.
final class FreeMemory {
    private static final String OWN_GROUP = "0::/";
    private static final long MIB = 1 << 20;
    private static final long KIB = 1 << 10;

    private final Path proc;
    private final Path groups;

    FreeMemory() {
        this(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /// @param proc where the kernel shows processes
    /// @param groups where it shows control groups
    FreeMemory(Path proc, Path groups) {
        this.proc = proc;
        this.groups = groups;
    }

    /// In MB; empty where the kernel does not say.
    OptionalLong mib() {
        OptionalLong machine = number(proc.resolve("meminfo"), "MemAvailable:");
        long least = machine.isPresent() ? machine.getAsLong() * KIB : Long.MAX_VALUE;
        for (Path group = ownGroup();
                group.startsWith(groups);
                group = group.resolve("..").normalize()) {
            OptionalLong left = leftIn(group);
            least = left.isPresent() ? Math.min(least, left.getAsLong()) : least;
        }
        return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(least / MIB);
    }

    private Path ownGroup() {
        try (Stream<String> lines = Files.lines(proc.resolve("self/cgroup"))) {
            return lines.filter(line -> line.startsWith(OWN_GROUP))
                    .findFirst()
                    .map(line -> groups.resolve(line.substring(OWN_GROUP.length())).normalize())
                    .orElse(groups);
        } catch (IOException _) {
            return groups;
        }
    }

    private static OptionalLong leftIn(Path group) {
        OptionalLong max = number(group.resolve("memory.max"), "");
        OptionalLong used = number(group.resolve("memory.current"), "");
        if (max.isEmpty() || used.isEmpty()) {
            return OptionalLong.empty();
        }
        long cached = number(group.resolve("memory.stat"), "inactive_file").orElse(0);
        return OptionalLong.of(max.getAsLong() - used.getAsLong() + cached);
    }

    /// @param name that the line begins with
    /// @return empty when there is no such file or line, or no number in it
    private static OptionalLong number(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split(" ", 2)[0])
                    .filter(word -> word.matches("\\d{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }
}
