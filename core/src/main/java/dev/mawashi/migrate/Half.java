package dev.mawashi.migrate;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.MigratedPlace;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.util.List;

/// The keys of the first Redis that a migration is about: Sidekiq's, or those of a Resque.
interface Half {
    /// @param layout of its queues
    static Half of(QueueLayout layout, RedisConnection connection, InstantSource clock) {
        return layout.equals(QueueLayout.SIDEKIQ)
                ? new SidekiqHalf(connection, clock)
                : new ResqueHalf(connection, ResqueKeys.ofQueues(layout.prefix()));
    }

    /// Keys of which an app has one at least.
    List<String> ofAnApp();

    /// The flag to look at where there is none of them.
    String flag();

    /// What there is now.
    Found find();

    /// The counters that are there.
    List<MigratedPlace> counters();

    /// What is copied.
    ///
    /// @param there layout of the queues in the other Redis
    Settings settings(RedisConnection target, QueueLayout there);
}
