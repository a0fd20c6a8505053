package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// An alarm that stands in a process of ours, as of its last beat.
///
/// @param name such as `heap_full`
/// @param text the illness, its figure and the page with the remedy, in one sentence
/// @param since when it began, to the second
public record AlarmView(String name, String text, Instant since) {
    public AlarmView {
        since = since.truncatedTo(ChronoUnit.SECONDS);
    }

    static AlarmView of(JsonObject fields) {
        return new AlarmView(
                fields.text("name"),
                fields.text("text"),
                fields.instant("since").orElse(Instant.EPOCH));
    }

    /// The same in the record and for programs.
    String json() {
        return new JsonFields()
                .text("name", name)
                .text("text", text)
                .time("since", Optional.of(since))
                .toString();
    }
}
