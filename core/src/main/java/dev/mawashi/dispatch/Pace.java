package dev.mawashi.dispatch;

import java.time.Duration;

/// The number of jobs that a child may hold beyond those that it runs: about ten milliseconds of
/// work, by measured run time.
///
/// The child's reading thread learns, its feeder distrusts; should both happen at once the next
/// jobs that end put it right. Either shows the intake by which the child takes jobs.
final class Pace {
    /// Work that a child may hold beyond what it runs.
    private static final double AHEAD_NANOS = Duration.ofMillis(10).toNanos();

    private static final int AHEAD_MAX = 500;

    /// Weight of the newest measurement of run times.
    private static final double NEWEST = 0.2;

    private final Intake intake;
    private final int threads;
    private double runNanos = AHEAD_NANOS;
    private int ahead;
    private volatile long ended;

    Pace(Intake intake) {
        this.intake = intake;
        threads = intake.slots();
    }

    /// Learns from jobs that have ended.
    ///
    /// @param nanos that they ran, together
    void learn(int jobs, long nanos) {
        long before = ended;
        ended = before + jobs;
        runNanos += NEWEST * ((double) nanos / jobs - runNanos);
        int wanted = (int) Math.min(AHEAD_MAX, threads * AHEAD_NANOS / Math.max(1.0, runNanos));
        if (Math.abs(wanted - ahead) > ahead / 4) {
            holdAhead(wanted);
        }
    }

    private void holdAhead(int jobs) {
        ahead = jobs;
        intake.holdAhead(jobs);
    }

    /// Jobs that have ended since the start.
    long ended() {
        return ended;
    }

    /// Forgets what it has learnt, since jobs waited in vain: none is held ready until others that
    /// end show more.
    void distrust() {
        runNanos = 2 * AHEAD_NANOS * threads;
        holdAhead(0);
    }
}
