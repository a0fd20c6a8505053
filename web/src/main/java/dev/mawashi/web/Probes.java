package dev.mawashi.web;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.scrape.Exposition;
import java.time.Duration;
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
    private final Latest<Stats> fleet;
    private final Exposition exposition = new Exposition();

    /// @param inspector closed with this
    Probes(Vitals vitals, Inspector inspector) {
        this.vitals = vitals;
        this.inspector = inspector;
        fleet = new Latest<>(inspector::stats, AGE_MAX);
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
