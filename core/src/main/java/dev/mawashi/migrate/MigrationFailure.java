package dev.mawashi.migrate;

/// The reason why a migration cannot begin or go on, with the remedy, in one line.
public final class MigrationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MigrationFailure(String message) {
        super(message);
    }
}
