package dev.mawashi.client;

import dev.mawashi.broker.Enqueuing;
import dev.mawashi.redis.RedisFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Jobs of several callers that go to Redis in one round trip. Each caller hears of its own jobs
/// only: what one of them cannot store must not have another enqueue its own twice.
final class Shipment {
    private final Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
    private final List<NewJob> later = new ArrayList<>();

    private boolean isSent;
    private @Nullable RuntimeException failure;
    private final Map<String, RedisFailure> refusedQueues = new HashMap<>();
    private final Map<NewJob, RedisFailure> refusedLater = new HashMap<>();

    /// One thread at a time; not once it is being sent.
    void add(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            if (job.at() == null) {
                byQueue.computeIfAbsent(job.queue(), _ -> new ArrayList<>()).add(job.payload());
            } else {
                later.add(job);
            }
        }
    }

    int size() {
        return later.size() + byQueue.values().stream().mapToInt(List::size).sum();
    }

    /// Whether it was sent, however that went.
    boolean isSent() {
        return isSent;
    }

    /// Does not throw: each caller asks for itself.
    void send(Enqueuing enqueuing) {
        isSent = true;
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
            // Such as a job's stack at its end: the jobs of others must not pass for stored.
            fail(new IllegalStateException("the jobs may not be stored: " + e, e), enqueuing);
        }
    }

    /// What was handed in and not sent must not go with the next shipment.
    private void fail(RuntimeException reason, Enqueuing enqueuing) {
        failure = reason;
        enqueuing.close();
    }

    /// @param jobs of one caller, that were added
    /// @throws RedisFailure when one of them is not in Redis, or may not be
    void requireStored(List<NewJob> jobs) {
        if (failure != null) {
            throw failure;
        }
        for (NewJob job : jobs) {
            RedisFailure refusal =
                    job.at() == null ? refusedQueues.get(job.queue()) : refusedLater.get(job);
            if (refusal != null) {
                throw refusal;
            }
        }
    }
}
