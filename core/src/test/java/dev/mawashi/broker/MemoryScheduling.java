package dev.mawashi.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// The schedule and retry sets in memory.
final class MemoryScheduling implements Scheduling {
    private static final Duration POLL = Duration.ofMillis(10);

    private final MemoryServer server;
    private volatile boolean isWoken;

    MemoryScheduling(MemoryServer server) {
        this.server = server;
    }

    @Override
    public Due due(int most, int mostBytes) {
        return server.call(state -> due(state, most));
    }

    private Due due(MemoryState state, int most) {
        long now = server.now();
        OptionalLong next = OptionalLong.empty();
        List<Entry> entries = new ArrayList<>();
        for (From from : From.values()) {
            for (MemoryState.Timed timed : state.set(from)) {
                long millis = Math.ceilDiv(timed.score() - now, 1_000_000L);
                if (timed.score() <= now) {
                    entries.add(new Entry(from, timed.payload()));
                } else if (next.isEmpty() || millis < next.getAsLong()) {
                    next = OptionalLong.of(millis);
                }
            }
        }
        return new Due(entries.subList(0, Math.min(most, entries.size())), next, Map.of());
    }

    @Override
    public Promoted promote(List<Promotion> promotions) {
        return server.call(state -> {
            int moved = 0;
            for (Promotion one : promotions) {
                if (state.take(one.entry())) {
                    state.queue(one.queue()).addFirst(one.payload());
                    moved++;
                }
            }
            return new Promoted(moved, Map.of());
        });
    }

    @Override
    public int bury(Entry entry) {
        return server.call(state -> {
            if (state.take(entry)) {
                state.dead().add(new MemoryState.Timed(server.now(), entry.payload()));
            }
            return 0;
        });
    }

    @Override
    public void awaitChange(Duration wait) {
        Duration most = wait.compareTo(POLL) < 0 ? wait : POLL;
        boolean _ = server.lock().awaitUntil(most, () -> isWoken);
        isWoken = false;
    }

    @Override
    public void wake() {
        server.lock().locked(() -> isWoken = true);
    }

    @Override
    public void close() {}
}
