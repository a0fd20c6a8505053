package dev.mawashi.client;

import dev.mawashi.broker.Enqueuing;
import dev.mawashi.broker.RedisBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Enqueues jobs: now or later, one or thousands in a round trip. While one round trip is under
/// way, what other threads enqueue gathers, and then goes together.
public final class Client implements JobSink, AutoCloseable {
    private final Enqueuing enqueuing;
    private final ReentrantLock gathering = new ReentrantLock();
    private Shipment gathered = Shipment.first();

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
        RuntimeException refusal = enqueueEach(List.of(jobs)).getFirst();
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public List<@Nullable RuntimeException> enqueueEach(List<List<NewJob>> callers) {
        List<@Nullable RuntimeException> refusals = new ArrayList<>();
        List<NewJob> jobs = new ArrayList<>();
        for (List<NewJob> caller : callers) {
            RuntimeException tooLarge = tooLarge(caller);
            refusals.add(tooLarge);
            if (tooLarge == null) {
                jobs.addAll(caller);
            }
        }
        if (jobs.isEmpty()) {
            return refusals;
        }
        Shipment shipment = ship(jobs);
        for (int i = 0; i < refusals.size(); i++) {
            if (refusals.get(i) == null) {
                refusals.set(i, shipment.refusal(callers.get(i)));
            }
        }
        return refusals;
    }

    /// @return the shipment that they went with
    private Shipment ship(List<NewJob> jobs) {
        Shipment mine;
        boolean isFirst;
        gathering.lock();
        try {
            mine = gathered;
            isFirst = mine.isEmpty();
            mine.add(jobs);
        } finally {
            gathering.unlock();
        }
        if (isFirst) {
            sendForAll(mine);
        } else {
            mine.awaitSent();
        }
        return mine;
    }

    /// The caller who came first sends for all. Those who wait are woken together: if each woke the
    /// next, as with a lock, ten threads would take a millisecond to go on.
    private void sendForAll(Shipment shipment) {
        try {
            shipment.awaitTurn();
            close(shipment);
            shipment.send(enqueuing);
        } catch (Error e) {
            close(shipment);
            shipment.abandon(e);
            throw e;
        }
    }

    /// Closes a shipment: nobody adds to it from now on.
    private void close(Shipment shipment) {
        gathering.lock();
        try {
            if (gathered == shipment) {
                gathered = shipment.next();
            }
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

    private static @Nullable RuntimeException tooLarge(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            if (job.payload().length > RedisBroker.PAYLOAD_BYTES_MAX) {
                return new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "payload for queue \"%s\" is %,d bytes, limit is %,d: store the data elsewhere and pass its id",
                                job.queue(),
                                job.payload().length,
                                RedisBroker.PAYLOAD_BYTES_MAX));
            }
        }
        return null;
    }

    @Override
    public void close() {
        enqueuing.close();
    }
}
