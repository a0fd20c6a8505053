package dev.mawashi.ruby;

/// Thrown when an app cannot be loaded. The message is a few lines for the operator: what was
/// loaded, what Ruby raised and where in the app.
public final class RubyBootFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RubyBootFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
