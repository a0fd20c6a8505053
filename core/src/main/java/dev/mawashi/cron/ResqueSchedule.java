package dev.mawashi.cron;

import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A schedule of the gem resque-scheduler, as a server's Ruby says of it (`listing.rb`).
///
/// @param namespace of the app's Resque
/// @param name its namespace, a colon, and the gem's name; so it is no other schedule's
/// @param cron the line, or `every` and an interval
/// @param everyMillis the interval; 0 for a line
/// @param nextMillis one of the times of an interval, since 1970; 0 when nobody knows
record ResqueSchedule(
        String namespace,
        String name,
        String cron,
        String zone,
        String jobClass,
        String queue,
        String description,
        long everyMillis,
        long nextMillis)
        implements ShownSchedule {
    static ResqueSchedule of(String namespace, JsonObject json) {
        return new ResqueSchedule(
                namespace,
                json.text("name"),
                json.text("cron"),
                json.text("zone"),
                json.text("class"),
                json.text("queue"),
                json.text("description"),
                Math.max(0, json.number("every")),
                json.number("next"));
    }

    /// Whether an operator means it by a name: its own or the gem's.
    boolean isCalled(String text) {
        return name.equals(text) || name.equals(namespace + ":" + text);
    }

    @Override
    public boolean isActiveJob() {
        return false;
    }

    @Override
    public String gem() {
        return "resque-scheduler";
    }

    /// None for a line that only the gem can read, and for an interval whose times a
    /// resque-scheduler alone knows.
    @Override
    public List<Instant> next(Instant after, int most) {
        if (everyMillis == 0) {
            return parsed().map(line -> line.next(after, most)).orElse(List.of());
        }
        List<Instant> times = new ArrayList<>();
        long over = Math.max(0, after.toEpochMilli() - nextMillis);
        long first = nextMillis + (over + everyMillis - 1) / everyMillis * everyMillis;
        for (int i = 0; nextMillis > 0 && i < most; i++) {
            times.add(Instant.ofEpochMilli(first + i * everyMillis));
        }
        return times;
    }
}
