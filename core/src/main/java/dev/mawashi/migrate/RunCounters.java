package dev.mawashi.migrate;

import static dev.mawashi.redis.RedisConnection.utf8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The counters of runs that an app's processes have written: totals, and those of each UTC day, as
/// long as Sidekiq keeps them.
final class RunCounters {
    private static final int DAYS = 5 * 366;
    private static final int TOGETHER = 500;

    private final RedisConnection connection;
    private final InstantSource clock;

    RunCounters(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// Those that are there.
    List<MigratedPlace> all() {
        List<String> names = new ArrayList<>(List.of(Keys.STAT_PROCESSED, Keys.STAT_FAILED));
        // Tomorrow's too, for machines whose clock is ahead.
        LocalDate day = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).plusDays(1);
        for (int i = 0; i <= DAYS; i++) {
            names.add(Keys.daily(Keys.STAT_PROCESSED, day.minusDays(i).toString()));
            names.add(Keys.daily(Keys.STAT_FAILED, day.minusDays(i).toString()));
        }
        List<MigratedPlace> there = new ArrayList<>();
        for (int from = 0; from < names.size(); from += TOGETHER) {
            List<String> some = names.subList(from, Math.min(from + TOGETHER, names.size()));
            some.forEach(name -> connection.queue(utf8("EXISTS"), utf8(name)));
            List<@Nullable Object> replies = connection.flush();
            for (int i = 0; i < some.size(); i++) {
                if (Long.valueOf(1).equals(replies.get(i))) {
                    there.add(MigratedPlace.count(QueueLayout.SIDEKIQ, some.get(i)));
                }
            }
        }
        return there;
    }
}
