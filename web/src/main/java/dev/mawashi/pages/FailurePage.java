package dev.mawashi.pages;

import dev.mawashi.inspect.FailureView;
import java.util.List;

/// One of Resque's failed jobs.
///
/// @param place in its list, from 0 on for the oldest
public record FailurePage(Shell shell, long place, FailureView failure) {
    /// The arguments, each as indented JSON.
    public List<String> args() {
        return ShownArgs.of(failure.args());
    }

    public List<Frames> backtrace() {
        return Frames.of(failure.backtrace());
    }

    /// The record as it is in Redis, cut where it is long.
    public String raw() {
        return ShownArgs.cut(failure.raw());
    }
}
