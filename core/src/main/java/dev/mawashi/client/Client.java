package dev.mawashi.client;

import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.RedisBroker;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Enqueues jobs: now or later, one or thousands in a round trip. While one round trip is under
/// way, what other threads enqueue gathers, and then goes together.
public final class Client implements JobSink, AutoCloseable {
    private final Enqueuing enqueuing;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock gathering = new ReentrantLock();
    private Shipment gathered = new Shipment();

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
        Shipment mine = gather(jobs);
        sending.lock();
        try {
            // Shipments go one after the other, so one that has not gone is the one that gathers.
            if (!mine.isSent()) {
                next().send(enqueuing);
            }
        } finally {
            sending.unlock();
        }
        mine.requireStored(jobs);
    }

    private Shipment gather(List<NewJob> jobs) {
        gathering.lock();
        try {
            gathered.add(jobs);
            return gathered;
        } finally {
            gathering.unlock();
        }
    }

    private Shipment next() {
        gathering.lock();
        try {
            Shipment next = gathered;
            gathered = new Shipment();
            return next;
        } finally {
            gathering.unlock();
        }
    }

    /// Jobs that go with the next round trip.
    int waiting() {
        gathering.lock();
        try {
            return gathered.size();
        } finally {
            gathering.unlock();
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
