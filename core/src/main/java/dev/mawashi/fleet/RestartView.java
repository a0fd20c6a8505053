package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The last restart of a process and the generations of code that it runs, as it answers.
///
/// @param generation the one that gets new jobs, from 1
/// @param reason why the last restart failed, perhaps in several lines; "" when it did not
/// @param limit longest time until new code can run jobs
/// @param living those whose processes live, the oldest first
/// @param successor identity of the process that has taken this one's place; "" when none has
public record RestartView(
        State state,
        long generation,
        String reason,
        Duration limit,
        List<Generation> living,
        String successor) {
    public RestartView {
        living = List.copyOf(living);
    }

    /// Of a process that runs new code itself.
    public RestartView(
            State state, long generation, String reason, Duration limit, List<Generation> living) {
        this(state, generation, reason, limit, living, "");
    }

    /// The stage of a restart.
    public enum State {
        /// There was none.
        NONE,
        /// New code boots.
        BOOTING,
        /// New code gets the jobs.
        READY,
        /// New code could not run jobs.
        FAILED
    }

    /// @param number from 1
    /// @param children processes
    /// @param busy jobs that they run
    /// @param since when it got its first jobs; empty when it is unknown
    public record Generation(long number, long children, long busy, Optional<Instant> since) {
        private String json() {
            return new JsonFields()
                    .number("number", number)
                    .number("children", children)
                    .number("busy", busy)
                    .known("since", since.map(Instant::toString).orElse(""))
                    .toString();
        }

        private static Generation of(JsonObject fields) {
            return new Generation(
                    fields.number("number"),
                    fields.number("children"),
                    fields.number("busy"),
                    fields.instant("since"));
        }
    }

    /// Jobs that older generations still run.
    public long oldRuns() {
        return living.stream()
                .filter(one -> one.number() < generation)
                .mapToLong(Generation::busy)
                .sum();
    }

    /// The first line of the reason.
    public String problem() {
        return reason.lines().findFirst().orElse("");
    }

    /// The answer to the questions about restarts.
    public String json() {
        return new JsonFields()
                .text("state", state.name().toLowerCase(Locale.ROOT))
                .number("generation", generation)
                .text("reason", reason)
                .number("boot_limit_seconds", limit.toSeconds())
                .json(
                        "generations",
                        JsonFields.array(living.stream().map(Generation::json).toList()))
                .known("successor", successor)
                .toString();
    }

    /// Reads that answer.
    public static RestartView of(String json) {
        JsonObject fields = JsonObject.of(json);
        State state = State.NONE;
        for (State one : State.values()) {
            if (one.name().toLowerCase(Locale.ROOT).equals(fields.text("state"))) {
                state = one;
            }
        }
        return new RestartView(
                state,
                fields.number("generation"),
                fields.text("reason"),
                Duration.ofSeconds(fields.number("boot_limit_seconds")),
                fields.objects("generations").stream().map(Generation::of).toList(),
                fields.text("successor"));
    }
}
