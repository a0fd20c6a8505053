package dev.mawashi.bench.rig;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// The place of a benchmark: its Redis and its folder.
///
/// @param folder for the apps, and for what the runs leave
/// @param clock of the harness; the jobs read the same machine's
/// @param launcher the words before Mawashi's commands
public record Ground(BenchRedis redis, Path folder, InstantSource clock, List<String> launcher) {
    public Ground {
        launcher = List.copyOf(launcher);
    }

    /// The same place with another Redis.
    public Ground with(BenchRedis other) {
        return new Ground(other, folder, clock, launcher);
    }

    /// The time since 1970, as jobs write it down.
    public long nanos() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
