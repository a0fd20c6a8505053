package dev.mawashi.sizing;

/// No queue has a name that was asked for.
public final class NoQueue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// @param pattern the name or pattern
    NoQueue(String pattern) {
        super("there is no queue " + pattern + ": see mawashi queues for their names");
    }
}
