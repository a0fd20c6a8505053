package dev.mawashi.cli;

/// The command was used wrongly: exit code 2. The message names the thing and the remedy.
final class WrongUse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongUse(String message) {
        super(message);
    }
}
