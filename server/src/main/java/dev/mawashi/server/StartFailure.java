package dev.mawashi.server;

/// The server cannot start as asked. The message names the thing and the remedy.
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartFailure(String message) {
        super(message);
    }
}
