package dev.mawashi.http;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Counts wrong secrets by their origin, and reports them to the log. Safe for any thread.
final class Attempts {
    private static final System.Logger LOG = System.getLogger(Attempts.class.getName());
    static final int FAILURES_MAX = 10;
    private static final long BARRED_NANOS = Duration.ofMinutes(1).toNanos();

    /// Of more addresses the oldest is forgotten.
    private static final int ADDRESSES_MAX = 10_000;

    /// Lines in a minute: whoever has many addresses must not fill a disk.
    static final int LINES_MAX = 20;

    /// Groups of an IPv6 address, and those that name its network: who has one address of a network
    /// has all of them.
    private static final int GROUPS = 8;

    private static final int NETWORK_GROUPS = 4;

    private final LongSupplier nanoTime;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>();

    private int lines;
    private long firstLineNanos;

    private record Failures(int count, long lastNanos) {}

    /// @param nanoTime a monotonic clock
    Attempts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// Whether so many have come from there within the last minute that none is looked at.
    synchronized boolean isBarred(String address) {
        Failures failures = byAddress.get(source(address));
        return failures != null && failures.count() >= FAILURES_MAX && isRecent(failures);
    }

    synchronized void failed(String address) {
        String source = source(address);
        Failures before = byAddress.remove(source);
        int count = before != null && isRecent(before) ? before.count() + 1 : 1;
        byAddress.put(source, new Failures(count, nanoTime.getAsLong()));
        if (byAddress.size() > ADDRESSES_MAX) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
        if (count == 1) {
            warn("a wrong secret came from " + source);
        } else if (count == FAILURES_MAX) {
            warn(count + " wrong secrets came from " + source + ": turned away for a minute");
        }
    }

    private static String source(String address) {
        String[] groups = address.replace("[", "").split(":");
        return groups.length < GROUPS
                ? address
                : String.join(":", List.of(groups).subList(0, NETWORK_GROUPS)) + "::/64";
    }

    private boolean isRecent(Failures failures) {
        return nanoTime.getAsLong() - failures.lastNanos() < BARRED_NANOS;
    }

    private void warn(String line) {
        long now = nanoTime.getAsLong();
        if (lines == 0 || now - firstLineNanos >= BARRED_NANOS) {
            firstLineNanos = now;
            lines = 0;
        }
        lines++;
        if (lines <= LINES_MAX) {
            LOG.log(
                    Level.WARNING,
                    line + (lines < LINES_MAX ? "" : "; others are not logged for a minute"));
        }
    }
}
