package dev.mawashi.bench;

import java.time.Instant;
import java.util.Map;

/// Has a server work off a queue three times and times the last lap, so that neither its start nor
/// code that is not compiled yet is in the figures.
///
/// The queue is made beside and put in place at once. A run counts only if afterwards, with the
/// processes gone, each job was either done or is still queued, and nothing is anywhere else.
final class ScaleRace {
    /// A server's first start only leaves a trace, and the second makes the cache of the third.
    private static final int FIRST_STARTS = 2;

    private static final int LAPS_BEFORE = 2;

    private final Ground ground;
    private boolean isFirstStart;

    ScaleRace(Ground ground) {
        this.ground = ground;
    }

    /// A run of a server that started without the cache of an earlier start is not counted, and
    /// another one takes its place, twice at most.
    ///
    /// @throws BenchFailure when jobs were lost, run twice, or not done in time
    Lap run(ScalePoint point) throws InterruptedException {
        Lap lap = once(point);
        for (int again = 0; isFirstStart && again < FIRST_STARTS; again++) {
            lap = once(point);
        }
        return lap;
    }

    private Lap once(ScalePoint point) throws InterruptedException {
        int jobs = point.contestant().jobs();
        int queued = jobs + point.behind();
        try (Stint stint = Stint.start(ground, point.contestant())) {
            Tally tally = new Tally(stint.place());
            stint.awaitServers();
            for (int before = 0; before < LAPS_BEFORE; before++) {
                lap(point, stint, tally, jobs);
            }
            isFirstStart = stint.isFirstStart();
            Lap lap = lap(point, stint, tally, queued);
            long waiting = stint.finish(point.queues());
            long done = tally.read();
            long all = (long) LAPS_BEFORE * jobs + queued;
            if (done + waiting != all) {
                throw new BenchFailure(
                        "%s ran %,d jobs of %,d and left %,d"
                                .formatted(point.contestant().name(), done, all, waiting));
            }
            return lap;
        }
    }

    /// Fills the queues and waits until as many jobs were done as are timed.
    private Lap lap(ScalePoint point, Stint stint, Tally tally, int queued)
            throws InterruptedException {
        BenchRedis redis = ground.redis();
        redis.stage(queued, point.payloads(), point.queues());
        long before = tally.read();
        long allocated = stint.allocatedBytes();
        Map<String, Double> parts = stint.parts();
        double server = stint.cpuSeconds();
        double redisBefore = redis.cpuSeconds();
        Instant began = ground.clock().instant();
        redis.release(point.queues());
        long expected = before + point.contestant().jobs();
        stint.await("all jobs", () -> tally.read() >= expected);
        double used = stint.cpuSeconds() - server;
        double redisUsed = redis.cpuSeconds() - redisBefore;
        Tally.Moment end = tally.moments().getLast();
        double seconds = (end.nanos() - began.getEpochSecond() * 1e9 - began.getNano()) / 1e9;
        int done = (int) (end.done() - before);
        Lap.Part busiest = Lap.Part.busiest(parts, stint.parts(), seconds);
        long made = stint.allocatedBytes() - allocated;
        long bytes = (long) done * point.payloads().payload(1).length;
        return new Lap(done, bytes, seconds, used, redisUsed, made, busiest);
    }
}
