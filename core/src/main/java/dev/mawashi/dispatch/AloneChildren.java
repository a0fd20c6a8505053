package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/// The jobs of a capsule that were in hand when children died again, and are to run each in a child
/// of its own: a few at once, the others wait. Safe for any thread.
final class AloneChildren {
    private static final int AT_ONCE_MAX = 2;

    private final Consumer<Lease> run;
    private final Deque<Lease> waiting = new ArrayDeque<>();
    private int running;
    private boolean isClosed;

    /// @param run runs one in such a child, and returns when it has ended
    AloneChildren(Consumer<Lease> run) {
        this.run = run;
    }

    /// @return false when none is begun any more
    synchronized boolean add(Lease suspect) {
        if (!isClosed) {
            waiting.addLast(suspect);
            begin();
        }
        return !isClosed;
    }

    private synchronized void begin() {
        while (running < AT_ONCE_MAX && !waiting.isEmpty()) {
            running++;
            Lease next = waiting.removeFirst();
            Thread.ofVirtual().name("mawashi-alone-1").start(() -> runOne(next));
        }
    }

    private void runOne(Lease suspect) {
        try {
            run.accept(suspect);
        } finally {
            synchronized (this) {
                running--;
                begin();
            }
        }
    }

    /// Begins none any more, and takes those out that wait.
    synchronized List<Lease> close() {
        isClosed = true;
        List<Lease> rest = new ArrayList<>(waiting);
        waiting.clear();
        return rest;
    }
}
