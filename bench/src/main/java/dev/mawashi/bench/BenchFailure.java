package dev.mawashi.bench;

/// A benchmark could not be done, or its figures would mean nothing. The message names the thing
/// and the remedy.
final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BenchFailure(String message) {
        super(message);
    }

    BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
