package dev.mawashi.client;

import dev.mawashi.broker.Enqueuing;
import dev.mawashi.redis.RedisFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Jobs of several callers that go to Redis in one round trip. Each caller hears of its own jobs
/// only: what one of them cannot store must not have another enqueue its own twice.
final class Shipment {
    private final Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
    private final List<NewJob> later = new ArrayList<>();

    private final CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> turn;
    private @Nullable RuntimeException failure;
    private final Map<String, RedisFailure> refusedQueues = new HashMap<>();
    private final Map<NewJob, RedisFailure> refusedLater = new HashMap<>();

    /// @param turn done when the shipment may be sent
    private Shipment(CompletableFuture<@Nullable Void> turn) {
        this.turn = turn;
    }

    static Shipment first() {
        return new Shipment(CompletableFuture.completedFuture(null));
    }

    /// The shipment that may be sent once this one has been.
    Shipment next() {
        return new Shipment(sent);
    }

    /// Waits until the one before it was sent. An interrupt does not end the wait.
    void awaitTurn() {
        turn.join();
    }

    /// Waits until another thread has sent it. An interrupt does not end the wait.
    void awaitSent() {
        sent.join();
    }

    /// Adds jobs: one thread at a time, and not once the shipment is being sent.
    void add(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            if (job.at() == null) {
                byQueue.computeIfAbsent(job.queue(), _ -> new ArrayList<>()).add(job.payload());
            } else {
                later.add(job);
            }
        }
    }

    boolean isEmpty() {
        return later.isEmpty() && byQueue.isEmpty();
    }

    int size() {
        return later.size() + byQueue.values().stream().mapToInt(List::size).sum();
    }

    /// Sends all jobs. Throws nothing: each caller asks `refusal` what became of its own.
    void send(Enqueuing enqueuing) {
        try {
            for (NewJob job : later) {
                enqueuing.schedule(Objects.requireNonNull(job.at()), job.payload());
            }
            byQueue.forEach(enqueuing::push);
            List<String> queues = List.copyOf(byQueue.keySet());
            enqueuing
                    .flush()
                    .forEach((place, refusal) -> {
                        if (place < later.size()) {
                            refusedLater.put(later.get(place), refusal);
                        } else {
                            refusedQueues.put(queues.get(place - later.size()), refusal);
                        }
                    });
        } catch (RuntimeException e) {
            fail(e, enqueuing);
        } catch (Error e) {
            fail(unknown(e), enqueuing);
        } finally {
            sent.complete(null);
        }
    }

    /// Reports to all callers that it was not sent. The shipment after it still waits for the one
    /// before it.
    void abandon(Error reason) {
        failure = unknown(reason);
        var _ = turn.thenRun(() -> sent.complete(null));
    }

    /// What callers hear of an error such as a stack at its end: their jobs must not pass for
    /// stored.
    private static RuntimeException unknown(Error reason) {
        return new IllegalStateException("the jobs may not be stored: " + reason, reason);
    }

    /// What was handed in and not sent must not go with the next shipment.
    private void fail(RuntimeException reason, Enqueuing enqueuing) {
        failure = reason;
        enqueuing.close();
    }

    /// To be called once the shipment was sent.
    ///
    /// @param jobs of one caller that were added
    /// @return why one of them is not in Redis, or may not be; null when all are
    @Nullable RuntimeException refusal(List<NewJob> jobs) {
        if (failure != null) {
            return failure;
        }
        for (NewJob job : jobs) {
            RedisFailure refusal =
                    job.at() == null ? refusedQueues.get(job.queue()) : refusedLater.get(job);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }
}
