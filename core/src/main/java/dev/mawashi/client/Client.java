package dev.mawashi.client;

import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.RedisBroker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Enqueues jobs, one caller at a time: now or later, one or thousands in a round trip.
public final class Client implements JobSink, AutoCloseable {
    private final Enqueuing enqueuing;
    private final ReentrantLock lock = new ReentrantLock();

    /// @param enqueuing closed with this client
    public Client(Enqueuing enqueuing) {
        this.enqueuing = enqueuing;
    }

    /// Stores all jobs in one round trip, in order.
    ///
    /// Sending is not repeated here: after a failure of kind `UNKNOWN` the jobs may be stored, and
    /// only the caller knows whether a second copy would harm.
    ///
    /// @throws IllegalArgumentException when a payload is larger than 16 MiB; nothing is stored
    @Override
    public void enqueue(List<NewJob> jobs) {
        jobs.forEach(Client::requireFits);
        Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
        lock.lock();
        try {
            for (NewJob job : jobs) {
                Instant at = job.at();
                if (at == null) {
                    byQueue.computeIfAbsent(job.queue(), _ -> new ArrayList<>()).add(job.payload());
                } else {
                    enqueuing.schedule(at, job.payload());
                }
            }
            byQueue.forEach(enqueuing::push);
            enqueuing.flush();
        } finally {
            lock.unlock();
        }
    }

    private static void requireFits(NewJob job) {
        if (job.payload().length > RedisBroker.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "payload for queue \"%s\" is %,d bytes, limit is %,d: store the data elsewhere and pass its id"
                            .formatted(
                                    job.queue(),
                                    job.payload().length,
                                    RedisBroker.PAYLOAD_BYTES_MAX));
        }
    }

    @Override
    public void close() {
        enqueuing.close();
    }
}
