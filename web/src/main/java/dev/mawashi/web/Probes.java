package dev.mawashi.web;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.scrape.Exposition;
import dev.mawashi.scrape.FleetReading;
import dev.mawashi.sizing.SizeBounds;
import dev.mawashi.sizing.SizeReader;
import dev.mawashi.sizing.Sizing;
import dev.mawashi.sizing.WantedSize;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/// Answers probes and scrapes.
///
/// Probes are answered for anybody: what asks carries no secret, and hears no more than one line.
final class Probes implements AutoCloseable {
    /// A scrape asks again only for what is older.
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /// How long a scrape waits for Redis.
    private static final Duration REDIS_PATIENCE = Duration.ofSeconds(2);

    private final Vitals vitals;
    private final Inspector inspector;
    private final SizeReader sizes;
    private final Latest<FleetReading> fleet;
    private final Exposition exposition = new Exposition();

    /// @param redis closed with this
    Probes(Vitals vitals, RedisConnection redis, InstantSource clock) {
        this.vitals = vitals;
        inspector = new Inspector(redis, clock);
        sizes = new SizeReader(redis, clock);
        fleet = new Latest<>(this::read, AGE_MAX);
    }

    private FleetReading read() {
        Stats stats = inspector.stats();
        return new FleetReading(stats, sizes(stats));
    }

    /// None where Redis refuses what only they need, such as payloads to a user of few rights: the
    /// other figures are known all the same, and Redis is up.
    private List<WantedSize> sizes(Stats stats) {
        try {
            return sizes.pools(stats.queues()).stream()
                    .map(pool -> Sizing.of(pool, SizeBounds.DEFAULT))
                    .toList();
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.REFUSED) {
                throw failure;
            }
            return List.of();
        }
    }

    List<Route> routes() {
        return List.of(
                Route.get("/health/live", Role.ANYBODY, _ -> probe(vitals::stalled)),
                Route.get("/health/ready", Role.ANYBODY, _ -> probe(vitals::unready)),
                Route.get("/metrics", Role.VIEWER, _ -> metrics()));
    }

    private static Answer probe(Supplier<String> trouble) {
        String now = trouble.get();
        return now.isEmpty() ? Answer.text(200, "ok") : Answer.text(503, now);
    }

    private Answer metrics() {
        return exposition.answer(fleet.get(REDIS_PATIENCE), vitals.figures());
    }

    @Override
    public void close() {
        fleet.close();
        inspector.close();
    }
}
