package dev.mawashi.ruby;

/// Thrown when an app cannot be loaded. The message is a few lines for the operator: what was
/// loaded, what Ruby raised and where in the app.
public final class RubyBootFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RubyBootFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /// The same with another line; itself where that is "".
    public RubyBootFailure with(String line) {
        return line.isEmpty() ? this : new RubyBootFailure(getMessage() + "\n    " + line, this);
    }
}
