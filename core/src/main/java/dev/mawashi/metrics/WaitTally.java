package dev.mawashi.metrics;

import dev.mawashi.wire.Payload;
import dev.mawashi.wire.RunTimeBuckets;
import dev.mawashi.wire.TimeStyle;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/// The waits of jobs in their queues: from `enqueued_at` to their claim, by the clocks of two
/// machines where those differ. Counted by Sidekiq's buckets of run times. Safe for any thread.
///
/// Of jobs that are claimed together one is looked at, and counts for all: they stood beside each
/// other in their queue.
public final class WaitTally {
    /// A longer payload is not looked at: whoever claims does not wait for it.
    static final int PAYLOAD_BYTES_MAX = 64 << 10;

    private final boolean isOn;
    private final InstantSource clock;
    private final AtomicLongArray counts = new AtomicLongArray(RunTimeBuckets.COUNT);

    WaitTally(boolean isOn, InstantSource clock) {
        this.isOn = isOn;
        this.clock = clock;
    }

    /// Counts jobs of one queue that were claimed together. Those of a payload without a time when
    /// it was enqueued, as Resque's are, are left out.
    ///
    /// @param payload of one of them
    /// @param jobs how many there are
    public void claimed(byte[] payload, int jobs) {
        if (!isOn || payload.length > PAYLOAD_BYTES_MAX) {
            return;
        }
        Payload job = Payload.tryParse(payload);
        if (job != null) {
            TimeStyle.read(job, "enqueued_at")
                    .ifPresent(at ->
                            counts.addAndGet(
                                    RunTimeBuckets.of(clock.millis() - at.toEpochMilli()), jobs));
        }
    }

    /// What has been counted since the last call: jobs by bucket.
    public List<Long> take() {
        List<Long> taken = new ArrayList<>();
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            taken.add(counts.getAndSet(bucket, 0));
        }
        return taken;
    }
}
