package dev.mawashi.sizing;

import dev.mawashi.wire.JsonFields;
import java.util.OptionalLong;

/// The number of processes that a pool should have.
///
/// @param wanted empty when nothing says it
/// @param reason one sentence
public record WantedSize(ServingPool pool, OptionalLong wanted, String reason) {
    /// The names that `json` gives them, for help.
    public static final String WORDS =
            "queues, processes, slots, busy, waiting, latency (seconds), run_seconds, utilisation,"
                    + " drain_seconds, wanted (these four null: unknown) and reason";

    /// For programs, the same on the command line and over HTTP.
    public String json() {
        return new JsonFields()
                .texts("queues", pool.queues())
                .number("processes", pool.processes())
                .number("slots", pool.slots())
                .number("busy", pool.busy())
                .number("waiting", pool.waiting())
                .seconds("latency", pool.latencySeconds())
                .decimal("run_seconds", pool.runSeconds(), 3)
                .decimal("utilisation", pool.utilisation(pool.processes()), 3)
                .decimal("drain_seconds", pool.drainSeconds(pool.processes()), 3)
                .optional("wanted", wanted)
                .text("reason", reason)
                .toString();
    }
}
