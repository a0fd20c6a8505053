package dev.mawashi.config;

/// A config file or flag that cannot be followed; the message names the place and the remedy.

public final class ConfigFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigFailure(String message) {
        super(message);
    }
}
