package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailures;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;

/// Stands for a Redis server: one state, one action at a time, and a past to which it can go back.
final class MemoryServer {
    private final MemoryLock lock = new MemoryLock();
    private final InstantSource clock;
    private MemoryState state = new MemoryState();
    private MemoryState saved = new MemoryState();
    private int runId = 1;
    private volatile Supplier<Fault> faults = () -> Fault.NONE;

    /// What becomes of a command.
    enum Fault {
        NONE,
        NOT_SENT,
        NO_REPLY
    }

    MemoryServer(InstantSource clock) {
        this.clock = clock;
    }

    MemoryLock lock() {
        return lock;
    }

    /// Epoch nanoseconds.
    long now() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /// Asks at each command what becomes of it.
    void breakBy(Supplier<Fault> source) {
        faults = source;
    }

    /// A command of a client, which fails as a connection does.
    <T> T call(Function<MemoryState, T> script) {
        Fault fault = faults.get();
        if (fault == Fault.NOT_SENT) {
            throw RedisFailures.notSent();
        }
        T reply = look(script);
        if (fault == Fault.NO_REPLY) {
            throw RedisFailures.unknown();
        }
        return reply;
    }

    /// The same of a test, which never fails.
    <T> T look(Function<MemoryState, T> script) {
        return lock.locked(() -> script.apply(state));
    }

    /// To be called within the lock.
    boolean holdsJob(String queue) {
        return state.holdsJob(queue);
    }

    /// Changes each time that it goes back.
    int runId() {
        return lock.locked(() -> runId);
    }

    void save() {
        lock.locked(() -> saved = new MemoryState(state));
    }

    /// To what was saved last, as a server does that is started anew with its last file.
    void goBack() {
        lock.locked(() -> {
            state = new MemoryState(saved);
            return runId++;
        });
    }
}
