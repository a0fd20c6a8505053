package dev.mawashi.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Counts wrong secrets by where they come from. Safe for any thread.
final class Attempts {
    static final int FAILURES_MAX = 10;
    private static final long BARRED_NANOS = Duration.ofMinutes(1).toNanos();

    /// Of more addresses the oldest is forgotten.
    private static final int ADDRESSES_MAX = 10_000;

    private final LongSupplier nanoTime;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>();

    private record Failures(int count, long lastNanos) {}

    /// @param nanoTime a monotonic clock
    Attempts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// Whether so many have come from there within the last minute that none is looked at.
    synchronized boolean isBarred(String address) {
        Failures failures = byAddress.get(address);
        return failures != null && failures.count() >= FAILURES_MAX && isRecent(failures);
    }

    synchronized void failed(String address) {
        Failures before = byAddress.remove(address);
        int count = before != null && isRecent(before) ? before.count() + 1 : 1;
        byAddress.put(address, new Failures(count, nanoTime.getAsLong()));
        if (byAddress.size() > ADDRESSES_MAX) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
    }

    private boolean isRecent(Failures failures) {
        return nanoTime.getAsLong() - failures.lastNanos() < BARRED_NANOS;
    }
}
