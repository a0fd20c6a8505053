package dev.mawashi.bench.rig;

/// A benchmark that could not be done, or whose figures would mean nothing. The message names the
/// thing and the remedy.
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BenchFailure(String message) {
        super(message);
    }

    public BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
