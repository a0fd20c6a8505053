package dev.mawashi.bench;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/// Where a benchmark takes place.
///
/// @param folder for the apps, and for what the runs leave
/// @param clock of the harness; the jobs look at the same machine's
/// @param launcher the words before Mawashi's commands
record Ground(BenchRedis redis, Path folder, InstantSource clock, List<String> launcher) {
    Ground {
        launcher = List.copyOf(launcher);
    }
}
