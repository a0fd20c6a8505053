package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;

/// The runner that a gem needs, and why.
///
/// @param runner `JRUBY` where nothing speaks against it
/// @param isRefused whether a server does not start with it
/// @param isNoted whether there is something to say about it
/// @param reason what is known; "" where nothing is
/// @param source where that was read; ""
public record GemVerdict(
        String name,
        String version,
        BestRunner runner,
        boolean isRefused,
        boolean isNoted,
        String reason,
        String source) {
    String json() {
        return new JsonFields()
                .text("name", name)
                .text("version", version)
                .text("runner", isRefused ? null : runner.word())
                .known("reason", reason)
                .known("source", source)
                .toString();
    }
}
