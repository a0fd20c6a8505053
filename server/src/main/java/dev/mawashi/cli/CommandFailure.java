package dev.mawashi.cli;

/// The command was used rightly and failed: exit code 1. The message names the thing and the
/// remedy.
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }
}
