package dev.mawashi.live;

import dev.mawashi.desk.Desks;
import dev.mawashi.desk.RedisAway;
import dev.mawashi.figures.ClassTable;
import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Period;
import dev.mawashi.figures.Stats;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.CallReply;
import dev.mawashi.http.EventStream;
import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonFields;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Samples the fleet, every second while a page follows and else now and then, so that plots have a
/// past when the first page is opened.
///
/// One thread reads, keeps and sends. What an event says is written once, whoever follows. A
/// request for a plot by minute reads at a desk what ended before this process sampled, until Redis
/// has answered that once.
public final class Live implements Service {
    private static final Duration WATCHED = Duration.ofSeconds(1);
    private static final Duration UNWATCHED = Duration.ofSeconds(10);
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Inspector inspector;
    private final Desks desks;
    private final InstantSource clock;
    private final EventStream stream;
    private final History history = new History();
    private final Pulse pulse = new Pulse(System::nanoTime);
    private final Loop loop;
    private volatile boolean hasPast;
    private long sampledNanos = System.nanoTime() - UNWATCHED.toNanos();

    /// @param inspector closed with this
    public Live(Inspector inspector, Desks desks, InstantSource clock) {
        this(inspector, desks, clock, EventStream.Limits.USUAL);
    }

    Live(Inspector inspector, Desks desks, InstantSource clock, EventStream.Limits limits) {
        this.inspector = inspector;
        this.desks = desks;
        this.clock = clock;
        loop = Loop.platform("web-live", this::step).farewell(inspector::close);
        stream = new EventStream(limits, System::nanoTime, loop::wake);
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/live", Role.VIEWER, _ -> stream.follow()),
                Route.get("/api/v1/history", Role.VIEWER, this::answerHistory));
    }

    private CallReply answerHistory(Call call) {
        String asked = call.query().getOrDefault("range", List.of("15m")).getFirst();
        return Range.of(asked)
                .map(this::history)
                .orElseGet(() ->
                        Answer.json(
                                400,
                                new JsonFields()
                                        .text("error", "range is one of " + Range.NAMES)
                                        .toString()));
    }

    private Answer history(Range range) {
        if (range != Range.MINUTES_15 && !hasPast) {
            addPast();
        }
        return Answer.json(200, range.json(history, seconds()));
    }

    private void addPast() {
        try {
            List<ClassTable.Step> past = desks.read(desk -> desk.metrics().ended(Period.HOURS_8));
            history.addPast(past);
            // None at all: Redis may have refused, as it does while it loads.
            hasPast = !past.isEmpty();
        } catch (RedisAway _) {
            // The plot does without; the next request tries again.
        }
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        stream.look();
        Duration pause = stream.count() > 0 ? WATCHED : UNWATCHED;
        long left = pause.toNanos() - (System.nanoTime() - sampledNanos);
        if (left > 0) {
            return Duration.ofNanos(left);
        }
        sampledNanos = System.nanoTime();
        sample();
        return pause;
    }

    private void sample() {
        try {
            Stats stats = inspector.stats();
            double now = seconds();
            history.add(now, stats);
            Pulse.Rate rates = pulse.rate(stats);
            stream.send("figures", LiveFigures.json(now, stats, rates));
        } catch (RedisFailure failure) {
            stream.send("away", Json.quote(RedisAway.of(failure).sentence()));
        }
    }

    private double seconds() {
        return clock.millis() / MILLIS_PER_SECOND;
    }

    @Override
    public void stop(Duration patience) {
        stream.close();
        loop.stop(patience);
    }
}
