package dev.mawashi.dispatch;

import java.util.concurrent.atomic.AtomicInteger;

/// Decides about jobs for which the app's code must be called, each on a thread of its own: the app
/// may take its time, and its answer may come by the thread that waits for it. Safe for any thread.
final class Decisions {
    private final AtomicInteger open = new AtomicInteger();

    /// Returns at once.
    void make(Runnable decision) {
        open.incrementAndGet();
        Thread.ofVirtual()
                .name("mawashi-decide-1")
                .start(() -> {
                    try {
                        decision.run();
                    } finally {
                        open.decrementAndGet();
                    }
                });
    }

    boolean areMade() {
        return open.get() == 0;
    }
}
