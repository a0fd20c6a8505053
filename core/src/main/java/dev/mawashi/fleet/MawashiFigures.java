package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.util.List;

/// The part of the record of a process of ours that Sidekiq does not know (docs/formats/sidekiq.md,
/// "Process records"). A new figure of a process is a component here; `presence.OwnReading`
/// measures it.
///
/// @param capsules all of the process, Resque's too
/// @param children processes that run jobs for it
/// @param cpu CPU time that its own process has used, without its children
/// @param collecting time that its JVM has collected garbage; zero at its first beat
/// @param alarms those that stand
public record MawashiFigures(
        List<CapsuleView> capsules,
        long children,
        Duration cpu,
        Duration collecting,
        List<AlarmView> alarms) {
    /// The names that `addTo` gives them, for help.
    public static final String WORDS =
            "capsules (name, runner, slots, busy), children, cpu and gc (seconds), alarms (name,"
                    + " text, since)";

    public MawashiFigures {
        capsules = List.copyOf(capsules);
        alarms = List.copyOf(alarms);
    }

    /// As the record has them.
    public String json() {
        return new JsonFields()
                .array("capsules", capsules.stream().map(CapsuleView::json).toList())
                .number("children", children)
                .number("cpu_ms", cpu.toMillis())
                .number("gc_ms", collecting.toMillis())
                .array("alarms", alarms.stream().map(AlarmView::json).toList())
                .toString();
    }

    /// Reads what `json` wrote; what is not there is zero.
    static MawashiFigures of(JsonObject fields) {
        return new MawashiFigures(
                fields.objects("capsules").stream().map(CapsuleView::of).toList(),
                fields.number("children"),
                Duration.ofMillis(fields.number("cpu_ms")),
                Duration.ofMillis(fields.number("gc_ms")),
                fields.objects("alarms").stream().map(AlarmView::of).toList());
    }

    /// Adds them for programs.
    JsonFields addTo(JsonFields fields) {
        return fields.array("capsules", capsules.stream().map(CapsuleView::json).toList())
                .number("children", children)
                .seconds("cpu", cpu)
                .seconds("gc", collecting)
                .array("alarms", alarms.stream().map(AlarmView::json).toList());
    }
}
