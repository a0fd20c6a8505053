package dev.mawashi.api;

import dev.mawashi.desk.Desk;
import dev.mawashi.desk.Desks;
import dev.mawashi.figures.Stats.QueueStats;
import dev.mawashi.http.Answer;
import dev.mawashi.http.Call;
import dev.mawashi.http.Route;
import dev.mawashi.sizing.NoQueue;
import dev.mawashi.sizing.ServingPool;
import dev.mawashi.sizing.SizeBounds;
import dev.mawashi.sizing.SizeReader;
import dev.mawashi.sizing.Sizing;
import dev.mawashi.wire.JsonFields;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/// Says how many processes the queues need.
final class SizeReads {
    /// More digits than any bound has.
    private static final String NUMBER = "-?\\d{1,9}";

    private final Desks desks;
    private final InstantSource clock;

    SizeReads(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Reads.route(
                        Api.ROOT + "/scale",
                        Set.of("queue", "latency", "drain", "min", "max"),
                        this::sizes));
    }

    private Answer sizes(Call call) {
        SizeBounds bounds;
        try {
            bounds =
                    new SizeBounds(
                            number(call, "latency", SizeBounds.LATENCY),
                            number(call, "drain", SizeBounds.DRAIN),
                            number(call, "min", SizeBounds.MIN),
                            number(call, "max", SizeBounds.MAX));
        } catch (IllegalArgumentException wrong) {
            return Answer.problem(400, "" + wrong.getMessage());
        }
        List<String> queues = call.query().getOrDefault("queue", List.of());
        try {
            List<String> sizes =
                    desks.read(desk -> pools(desk, queues)).stream()
                            .map(pool -> Sizing.of(pool, bounds).json())
                            .toList();
            return Answer.json(200, new JsonFields().array("pools", sizes).toString());
        } catch (NoQueue none) {
            return Reads.gone("" + none.getMessage());
        }
    }

    private List<ServingPool> pools(Desk desk, List<String> queues) {
        List<QueueStats> all = desk.inspector().stats().queues();
        SizeReader reader = new SizeReader(desk.connection(), clock);
        return queues.isEmpty() ? reader.pools(all) : List.of(reader.pool(queues, all));
    }

    private static int number(Call call, String name, int otherwise) {
        List<String> values = call.query().getOrDefault(name, List.of("" + otherwise));
        String value = values.getLast();
        if (values.size() > 1 || !value.matches(NUMBER)) {
            throw new IllegalArgumentException(
                    name + " is one whole number: give it as " + name + "=" + otherwise);
        }
        return Integer.parseInt(value);
    }
}
