package dev.mawashi.fetch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// The paused queues, as far as this process knows. Every capsule's fetcher looks here before it
/// claims.
///
/// One thread writes (`PauseWatch`), claimers and parkers read. A fetcher hears of it after the
/// names have changed, so that a claim that follows sees them.
public final class Pauses {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Set<String> queues = Set.of();

    Set<String> queues() {
        return queues;
    }

    /// Says which queues are paused from now on.
    public void set(Set<String> paused) {
        queues = Set.copyOf(paused);
        listeners.forEach(Runnable::run);
    }

    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }
}
