package dev.mawashi.children;

/// The Ruby process could not be started, or could not load the app. The message is for the
/// operator.
public final class ChildFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChildFailure(String message) {
        super(message);
    }

    ChildFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /// The same with another line; itself where that is "".
    public ChildFailure with(String line) {
        return line.isEmpty() ? this : new ChildFailure(getMessage() + "\n    " + line, this);
    }
}
