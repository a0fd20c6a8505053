package dev.mawashi.bench.rig;

import dev.mawashi.wire.Keys;
import java.util.Set;
import java.util.regex.Pattern;

/// The keys in a Redis, but for those in which jobs wait: their bytes are the load's.
///
/// @param keys all but those of metrics
/// @param bytes that they take
/// @param metricKeys those of Sidekiq's metrics and ours: some more with each minute, until the
///   oldest lapse, after eight hours or three days
record KeyUse(long keys, long bytes, long metricKeys) {
    static final KeyUse NONE = new KeyUse(0, 0, 0);

    /// `j|261124|11:59`, `h|Class-24-11:59`, `mw:runs|261124|11:59`, `mw:waits|...`; of Sidekiq 7
    /// `Class-24-11:59`.
    private static final Pattern METRICS =
            Pattern.compile("(?:j|h|mw:runs|mw:waits)\\|.*|.*-\\d+-\\d+:\\d+");

    private static final Set<String> WAITING =
            Set.of(Keys.queue(BenchRedis.QUEUE), Keys.SCHEDULE, Keys.RETRY);

    /// These and one more.
    KeyUse plus(String name, long size) {
        if (WAITING.contains(name)) {
            return this;
        }
        return METRICS.matcher(name).matches()
                ? new KeyUse(keys, bytes, metricKeys + 1)
                : new KeyUse(keys + 1, bytes + size, metricKeys);
    }
}
