package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Running;
import dev.mawashi.event.Outage;
import dev.mawashi.fleet.ResqueWorkers;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;

/// Keeps this process's records among Resque's workers, adds up its runs, and removes the records
/// of processes of ours that died: each five seconds. When nothing runs any more, the first two are
/// done at once.
///
/// A Resque worker that finds a record silent for five minutes writes a failure for the job that
/// stands in it. Of a job of ours that would be untrue, since it was recovered long before and has
/// run again. So any live process of ours removes such records first.
public final class ResqueBeat implements Service {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /// Well above the pause, well below Resque's five minutes.
    private static final Duration DEAD_AFTER = Duration.ofMinutes(1);

    private final ResqueWorkers table;
    private final ResqueWorker worker;
    private final Capsule capsule;
    private final ZoneId zone;
    private final Outage outage;
    private final Loop loop = Loop.platform("workers", this::step).farewell(this::leave);
    private Duration pause = PAUSE;
    private long nextBeat;
    private boolean hasBeaten;

    /// Read by the capsule's thread too.
    private volatile long counted;

    /// @param zone of the times that Resque writes in local time
    public ResqueBeat(
            ResqueWorkers table, ResqueWorker worker, Capsule capsule, ZoneId zone, Outage outage) {
        this.table = table;
        this.worker = worker;
        this.capsule = capsule;
        this.zone = zone;
        this.outage = outage;
    }

    /// Has it beat that often in place of each five seconds. To be called before `start`.
    ResqueBeat pausing(Duration between) {
        pause = between;
        return this;
    }

    @Override
    public void start() {
        capsule.onIdle(this::idle);
        loop.start();
    }

    private void idle() {
        if (capsule.counters().ended() > counted) {
            loop.wake();
        }
    }

    /// One that comes before the next beat is due removes no records.
    private Duration step() {
        long left = nextBeat - System.nanoTime();
        boolean isEarly = hasBeaten && left > 0;
        try {
            Instant now = table.time();
            beat(now);
            if (!isEarly) {
                table.remove(dead(now));
            }
            outage.up();
        } catch (RuntimeException failure) {
            outage.failed("workers", failure);
        }
        if (isEarly) {
            return Duration.ofNanos(left);
        }
        nextBeat = System.nanoTime() + pause.toNanos();
        return pause;
    }

    /// After a beat of unknown effect its runs are added again: the counter may then be too high,
    /// never too low. What one key refuses is not added again: the others have taken it, and would
    /// grow at each beat.
    private void beat(Instant now) {
        long ended = capsule.counters().ended();
        List<Running> running = capsule.running();
        try {
            table.beat(worker.beat(ended - counted, running, now, zone));
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            outage.down("Resque's counters or workers are not written: " + failure.reason());
        }
        counted = ended;
        hasBeaten = true;
    }

    private List<String> dead(Instant now) {
        return table.heartbeats().entrySet().stream()
                .filter(beat -> ResqueWorker.isOurs(beat.getKey()) && isOld(beat.getValue(), now))
                .map(java.util.Map.Entry::getKey)
                .toList();
    }

    private static boolean isOld(String beat, Instant now) {
        try {
            return OffsetDateTime.parse(beat).toInstant().isBefore(now.minus(DEAD_AFTER));
        } catch (DateTimeException _) {
            // Not one of ours after all.
            return false;
        }
    }

    private void leave() {
        try {
            if (hasBeaten) {
                beat(table.time());
                table.remove(worker.ids());
            }
        } catch (RedisFailure failure) {
            // The records are removed by whoever finds them silent; the last runs are not counted.
            outage.down(failure.reason());
        }
        table.close();
    }

    /// Adds the last runs and removes the records.
    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
