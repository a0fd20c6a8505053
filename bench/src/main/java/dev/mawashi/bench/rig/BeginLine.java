package dev.mawashi.bench.rig;

import java.nio.file.Path;
import java.util.List;

/// A job that wrote down when it began: a line `<argument> <time in ns>` (schedule.rb).
///
/// @param argument by which the harness knows it
/// @param beganNanos since 1970
public record BeginLine(long argument, long beganNanos) {
    /// Those that have begun so far.
    public static List<BeginLine> in(Path folder) {
        return BenchFolder.lines(folder, "*.probes").stream()
                .map(line -> line.split(" ", 2))
                .map(words -> new BeginLine(Long.parseLong(words[0]), Long.parseLong(words[1])))
                .toList();
    }
}
