package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.time.Duration;

/// Parking in memory: one of all that are parked gets a job.
final class MemoryParking implements Parking {
    private final MemoryServer server;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private volatile boolean isAborted;

    MemoryParking(MemoryServer server, Holdings holdings, ArrivalLists arrivals) {
        this.server = server;
        this.holdings = holdings;
        this.arrivals = arrivals;
    }

    @Override
    public Arrival awaitArrival(String queue, String owner, Duration wait) {
        if (!arrivals.park(queue, wait)) {
            return Arrival.NONE;
        }
        try {
            boolean _ = server.call(state -> state.giveBack(queue, owner));
        } catch (RedisFailure failure) {
            arrivals.leave(queue, false);
            throw failure;
        }
        byte[][] moved = {null};
        boolean _ =
                server.lock()
                        .awaitUntil(
                                wait,
                                () -> {
                                    if (!isAborted && server.holdsJob(queue)) {
                                        moved[0] = server.look(state -> state.arrive(queue, owner));
                                    }
                                    return isAborted || moved[0] != null;
                                });
        if (moved[0] == null) {
            arrivals.leave(queue, false);
            return Arrival.NONE;
        }
        if (moved[0].length > BYTES_MAX) {
            arrivals.leave(queue, false);
            return Arrival.LARGE;
        }
        return new Arrival.Job(new Lease(queue, owner, holdings.reserve(1), moved[0]));
    }

    @Override
    public void begin(Arrival.Job job) {
        arrivals.begin(job.lease());
    }

    @Override
    public void leave(Arrival.Job job) {
        holdings.gaveUp(job.lease().token());
        arrivals.leave(job.lease().queue(), false);
    }

    @Override
    public void giveBack(String queue, String owner) {
        server.call(state -> state.giveBack(queue, owner));
    }

    @Override
    public void abort() {
        server.lock().locked(() -> isAborted = true);
    }

    @Override
    public void close() {}
}
