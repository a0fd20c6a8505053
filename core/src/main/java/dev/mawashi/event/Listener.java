package dev.mawashi.event;

/// Observes events. Called on the thread that caused them, so it must be quick and must not throw.
@FunctionalInterface
public interface Listener {
    void on(Event event);
}
