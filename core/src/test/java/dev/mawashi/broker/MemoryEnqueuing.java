package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Enqueues into a broker in memory, all that was asked for in one step.
final class MemoryEnqueuing implements Enqueuing {
    private final MemoryServer server;
    private final List<Consumer<MemoryState>> pending = new ArrayList<>();

    MemoryEnqueuing(MemoryServer server) {
        this.server = server;
    }

    @Override
    public void push(String queue, List<byte[]> payloads) {
        List<byte[]> copy = List.copyOf(payloads);
        pending.add(state -> copy.forEach(state.queue(queue)::addFirst));
    }

    @Override
    public void schedule(Instant due, byte[] payload) {
        long nanos = due.getEpochSecond() * 1_000_000_000L + due.getNano();
        pending.add(state ->
                state.set(Scheduling.From.SCHEDULE).add(new MemoryState.Timed(nanos, payload)));
    }

    @Override
    public Map<Integer, RedisFailure> flush() {
        List<Consumer<MemoryState>> all = List.copyOf(pending);
        pending.clear();
        return server.call(state -> {
            all.forEach(one -> one.accept(state));
            return Map.of();
        });
    }

    @Override
    public void close() {}
}
