package dev.mawashi.ruby;

/// A moment in the server's life for which an app may have blocks, with Sidekiq's names.
public enum LifecycleEvent {
    STARTUP,
    HEARTBEAT,
    BEAT,
    QUIET,
    SHUTDOWN,
    EXIT
}
