package dev.mawashi.pages;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import java.util.List;

/// A job's arguments and payload as its page shows them.
final class ShownArgs {
    /// What is longer is cut: no browser scrolls through megabytes of one job.
    static final int CHARS_MAX = 100_000;

    private ShownArgs() {}

    /// Each argument as JSON over several lines; long ones as they are, and cut.
    static List<String> of(String args) {
        if (args.length() > CHARS_MAX) {
            return List.of(cut(args));
        }
        try {
            return JsonElements.of(args).stream().map(IndentedJson::of).toList();
        } catch (MalformedPayload _) {
            return args.isEmpty() ? List.of() : List.of(args);
        }
    }

    static String cut(String text) {
        return Show.cut(text, CHARS_MAX);
    }
}
