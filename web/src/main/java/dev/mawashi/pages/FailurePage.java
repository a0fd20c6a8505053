package dev.mawashi.pages;

import dev.mawashi.inspect.FailureView;
import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One of Resque's failed jobs.
///
/// @param place in its list, from 0 on for the oldest
public record FailurePage(Shell shell, long place, FailureView failure) {
    /// The arguments, each as indented JSON.
    public List<String> args() {
        String args = failure.args();
        try {
            return JsonElements.of(args).stream().map(IndentedJson::of).toList();
        } catch (MalformedPayload _) {
            return args.isEmpty() ? List.of() : List.of(args);
        }
    }

    public List<Frames> backtrace() {
        return Frames.of(failure.backtrace());
    }

    /// The record as it is in Redis.
    public String raw() {
        return new String(failure.record(), StandardCharsets.UTF_8);
    }
}
