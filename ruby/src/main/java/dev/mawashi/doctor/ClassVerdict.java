package dev.mawashi.doctor;

import dev.mawashi.wire.JsonFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The runner for a job class, and why.
///
/// @param file relative to the app's folder
/// @param queue as its code names it; null where it does not
/// @param reasons at least one
public record ClassVerdict(
        String name,
        String file,
        int line,
        @Nullable String queue,
        boolean isResque,
        BestRunner runner,
        List<String> reasons) {
    public ClassVerdict {
        reasons = List.copyOf(reasons);
    }

    String json() {
        return new JsonFields()
                .text("name", name)
                .text("runner", runner.word())
                .texts("reasons", reasons)
                .text("file", file)
                .number("line", line)
                .text("queue", queue)
                .text("api", isResque ? "resque" : "sidekiq")
                .toString();
    }
}
