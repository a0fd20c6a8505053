package dev.mawashi.broker;

import java.time.InstantSource;
import java.util.List;

/// A broker in memory that keeps the same promises as the one in Redis: a process's way to a
/// `MemoryServer`.
public final class MemoryBroker implements Broker {
    private final MemoryServer server;
    private final Holdings holdings = new Holdings();
    private final ArrivalLists arrivals = new ArrivalLists();
    private final Runnable pause;

    /// With a server of its own.
    public MemoryBroker() {
        this(new MemoryServer(InstantSource.system()), () -> {});
    }

    /// @param pause while this process compares what it holds with what the server has
    MemoryBroker(MemoryServer server, Runnable pause) {
        this.server = server;
        this.pause = pause;
    }

    MemoryServer server() {
        return server;
    }

    /// Next to run first.
    public List<byte[]> queued(String queue) {
        return server.look(state -> List.copyOf(state.queue(queue)).reversed());
    }

    public List<byte[]> inFlight(String queue) {
        return server.look(state -> state.held(queue)).stream().map(Lease::payload).toList();
    }

    public List<byte[]> suspectsOf(String queue) {
        return server.look(state -> state.suspicion().waiting(queue));
    }

    public List<byte[]> scheduled(Scheduling.From from) {
        return server.look(state -> payloads(state.set(from)));
    }

    public List<byte[]> dead() {
        return server.look(state -> payloads(state.dead()));
    }

    private static List<byte[]> payloads(List<MemoryState.Timed> entries) {
        return entries.stream().map(MemoryState.Timed::payload).toList();
    }

    @Override
    public Enqueuing enqueuing() {
        return new MemoryEnqueuing(server);
    }

    @Override
    public Claiming claiming() {
        return new MemoryClaiming(server, holdings, arrivals);
    }

    @Override
    public Parking parking() {
        return new MemoryParking(server, holdings, arrivals);
    }

    @Override
    public Watching watching() {
        return new MemoryWatching(server.lock(), server::holdsJob);
    }

    @Override
    public Settling settling() {
        return new MemorySettling(server, holdings, arrivals);
    }

    @Override
    public Scheduling scheduling() {
        return new MemoryScheduling(server);
    }

    @Override
    public Leasing leasing() {
        return new MemoryLeasing(server, holdings, arrivals, pause);
    }
}
