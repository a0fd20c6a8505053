package dev.mawashi.embedded;

/// The bundled Redis could not start or be used. The message is one line that names the thing and
/// the remedy, fit to be shown to an operator as it is.
public final class EmbeddedRedisFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedRedisFailure(String message) {
        super(message);
    }

    EmbeddedRedisFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
