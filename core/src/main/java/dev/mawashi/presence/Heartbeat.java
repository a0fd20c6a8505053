package dev.mawashi.presence;

import dev.mawashi.event.Outage;
import dev.mawashi.fleet.ProcessBeat;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/// Publishes this process's record each five seconds, adds up its counters, and passes on the
/// signals that Sidekiq's page sends through Redis. When a capsule has nothing to run any more, the
/// counters are added at once: whoever waited for a job finds it counted.
public final class Heartbeat implements Service {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /// It is done once a minute for all processes, so none needs to ask for it at each beat.
    private static final int BEATS_BETWEEN_GHOSTS = 6;

    private final ProcessTable table;
    private final Census census;
    private final InstantSource clock;
    private final Outage outage;
    private final Consumer<String> onSignal;
    private final Consumer<Boolean> onBeat;
    private final Loop loop = Loop.platform("beat", this::step).farewell(this::leave);
    private Duration pause = PAUSE;
    private int beats;
    private long nextBeat;

    /// Read by the capsules' threads too.
    private volatile long countedEnded;

    private long countedFailed;
    private volatile boolean isDue;

    /// @param onSignal takes `TSTP`, `TERM` or `TTIN`
    /// @param onBeat hears of each beat that has reached Redis, and whether the record was new; the
    ///   next beat waits for it
    public Heartbeat(
            ProcessTable table,
            Census census,
            InstantSource clock,
            Outage outage,
            Consumer<String> onSignal,
            Consumer<Boolean> onBeat) {
        this.table = table;
        this.census = census;
        this.clock = clock;
        this.outage = outage;
        this.onSignal = onSignal;
        this.onBeat = onBeat;
    }

    /// Has it beat that often in place of each five seconds. To be called before `start`.
    Heartbeat pausing(Duration between) {
        pause = between;
        return this;
    }

    @Override
    public void start() {
        census.onIdle(this::idle);
        loop.start();
    }

    /// Has the next beat come at once. Safe for any thread.
    public void beatNow() {
        isDue = true;
        loop.wake();
    }

    private void idle() {
        if (census.ended() > countedEnded) {
            loop.wake();
        }
    }

    /// One that comes before the next beat is due only counts.
    private Duration step() {
        long left = nextBeat - System.nanoTime();
        if (beats > 0 && left > 0 && !isDue) {
            countEarly();
            return Duration.ofNanos(left);
        }
        isDue = false;
        beat();
        nextBeat = System.nanoTime() + pause.toNanos();
        return pause;
    }

    private void countEarly() {
        try {
            count();
        } catch (RuntimeException failure) {
            outage.failed("heartbeat", failure);
        }
    }

    private void beat() {
        try {
            count();
            ProcessBeat beat = census.take(table.pingMicros(), clock.instant());
            ProcessTable.BeatReply reply = table.beat(beat);
            String signal = reply.signal();
            if (signal != null) {
                // First: Redis has it no more, so it must not wait, nor be lost by a failure.
                onSignal.accept(signal);
            }
            onBeat.accept(reply.isNew());
            if (beats++ % BEATS_BETWEEN_GHOSTS == 0) {
                table.removeGhosts();
            }
            outage.up();
        } catch (RuntimeException failure) {
            outage.failed("heartbeat", failure);
        }
    }

    /// Adds what ended since the last count. After a count of unknown effect it is added again: as
    /// in Sidekiq, a counter may then be too high, never too low. What one counter refuses is not
    /// added again: the others have taken it, and would grow at each beat.
    private void count() {
        long ended = census.ended();
        long failed = census.failed();
        if (ended > countedEnded) {
            try {
                table.count(ended - countedEnded, failed - countedFailed, clock.instant());
            } catch (RedisFailure failure) {
                if (!failure.isOfOneCommand()) {
                    throw failure;
                }
                outage.down("runs are not counted: " + failure.reason());
            }
            countedEnded = ended;
            countedFailed = failed;
        }
    }

    private void leave() {
        try {
            count();
            table.leave(census.identity());
        } catch (RedisFailure failure) {
            // The record expires by itself; the last counts are lost, as they are in a crash.
            outage.down(failure.reason());
        }
        table.close();
    }

    /// Adds the last counts and removes the record.
    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
