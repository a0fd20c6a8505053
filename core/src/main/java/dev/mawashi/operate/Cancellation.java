package dev.mawashi.operate;

import java.util.List;

/// The result of a cancellation.
///
/// @param places where it was: a set, a queue, or the processes that had it
public record Cancellation(State state, List<String> places) {
    public Cancellation {
        places = List.copyOf(places);
    }

    /// The possible ends.
    public enum State {
        /// It waited, and was deleted.
        DELETED,
        /// A process had it, and has ended it or not begun it.
        ENDED,
        /// A process has it and got the mark, but has not ended it yet, or does not live any more.
        /// A job with a jid is caught when it is to begin the next time.
        TOLD,
        /// It had ended by itself.
        TOO_LATE,
        /// It is nowhere.
        NOWHERE
    }
}
