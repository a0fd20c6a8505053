package dev.mawashi.children;

import dev.mawashi.job.Outcome;
import dev.mawashi.lifecycle.Backoff;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A number of children: each that ends is replaced at once, or, when it did not live for long,
/// after a pause that grows. A virtual thread keeps each place filled.
public final class ChildPool implements AutoCloseable {
    private static final Duration READY_PATIENCE = Duration.ofMinutes(5);

    /// A child that lived shorter than that is not replaced at once.
    private static final Duration SHORT_LIFE = Duration.ofSeconds(2);

    /// For what the app does when a child ends: blocks for `:quiet` and `:shutdown` that still run
    /// get five seconds of it.
    private static final Duration END_PATIENCE = Duration.ofSeconds(8);

    private final Family family;
    private final Size size;
    private final Consumer<String> onTrouble;
    private final Map<Integer, Child> children = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();
    private volatile boolean isClosing;

    /// What runs jobs on the children.
    public interface User {
        /// @return takes what a child has to tell that will be forked for a place
        ChildListener listener(int number);

        /// A child takes jobs from now on.
        ///
        /// @param listener the one that was asked for it
        void ready(Child child, ChildListener listener);
    }

    /// How the jobs of a child run, each with its letter on the wire.
    enum Kind {
        /// On threads of the child.
        THREADS('T'),
        /// In forks of the child, one for each job.
        FORKS('F');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        char letter() {
            return letter;
        }
    }

    /// @param first its first place in the family
    /// @param threads jobs that each child runs at once
    record Size(int first, int processes, int threads, Kind kind) {}

    ChildPool(Family family, Size size, Consumer<String> onTrouble) {
        this.family = family;
        this.size = size;
        this.onTrouble = onTrouble;
    }

    public int processes() {
        return size.processes();
    }

    /// Whether a child stands at the first of this pool's places.
    public boolean isFirst(Child child) {
        return child.number() == size.first();
    }

    /// Jobs that each child runs at once.
    public int threads() {
        return size.threads();
    }

    /// The children that take jobs now.
    public Collection<Child> children() {
        return List.copyOf(children.values());
    }

    /// Forks all children and keeps their number.
    public void start(User user) {
        for (int i = 0; i < size.processes(); i++) {
            int place = size.first() + i;
            Thread.ofVirtual().name("mawashi-keeper-" + (place + 1)).start(() -> keep(place, user));
        }
    }

    private void keep(int number, User user) {
        Backoff backoff = new Backoff();
        while (!isClosing) {
            long born = System.nanoTime();
            try {
                live(number, user);
            } catch (ChildFailure | ExecutionException | TimeoutException failure) {
                Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
                onTrouble.accept("no child process: " + cause.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            if (System.nanoTime() - born < SHORT_LIFE.toNanos() && !isClosing) {
                backoff.pause();
            } else {
                backoff.reset();
            }
        }
    }

    /// Forks a child and returns when it has ended.
    private void live(int number, User user)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Void> end = new CompletableFuture<>();
        ChildListener listener = user.listener(number);
        Child child =
                family.parent()
                        .fork(number, size, new Ending(listener, end))
                        .get(READY_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        ends.put(number, end);
        children.put(number, child);
        user.ready(child, listener);
        if (isClosing) {
            child.end();
        }
        end.get();
        children.remove(number);
    }

    /// Kills a child at once; it is replaced.
    public void kill(Child child) {
        family.kill(child);
    }

    /// Ends all children, which get a moment for their `:exit` blocks. What is left then ends with
    /// the family.
    @Override
    public void close() {
        isClosing = true;
        children.values().forEach(Child::end);
        CompletableFuture<Void> all =
                CompletableFuture.allOf(ends.values().toArray(CompletableFuture[]::new));
        try {
            all.get(END_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // They are killed with the parent.
        }
    }

    /// Passes on what a child tells, and learns of its end.
    private record Ending(ChildListener user, CompletableFuture<Void> end)
            implements ChildListener {
        @Override
        public void done(LongBuffer idsAndNanos) {
            user.done(idsAndNanos);
        }

        @Override
        public void ended(long id, long nanos, Outcome outcome) {
            user.ended(id, nanos, outcome);
        }

        @Override
        public void returned(long[] ids) {
            user.returned(ids);
        }

        @Override
        public @Nullable String jid(long id) {
            return user.jid(id);
        }

        @Override
        public void lost(ChildEnd how, long @Nullable [] begun) {
            user.lost(how, begun);
            end.complete(null);
        }
    }
}
