package dev.mawashi.ruby;

import java.util.Locale;

/// A moment in the server's life for which an app may have blocks, with Sidekiq's names.
public enum LifecycleEvent {
    STARTUP,
    HEARTBEAT,
    BEAT,
    QUIET,
    SHUTDOWN,
    EXIT;

    /// As apps write it.
    public String symbol() {
        return name().toLowerCase(Locale.ROOT);
    }
}
