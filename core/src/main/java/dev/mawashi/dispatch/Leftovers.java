package dev.mawashi.dispatch;

import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Fetcher;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;

/// Returns the jobs that a closing fetcher still holds. The claimer's thread's.
final class Leftovers {
    /// How often giving back is tried while Redis is away; after that it is left to recovery.
    private static final int GIVE_BACK_TRIES = 5;

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

    private final Outage outage;
    private final Backoff backoff;

    Leftovers(Outage outage, Backoff backoff) {
        this.outage = outage;
        this.backoff = backoff;
    }

    /// Brings what was asked for and not answered yet. What fails is lost to us, and `giveBack`
    /// gives it up.
    void collect(Fetcher fetcher, LeaseBuffer buffer) {
        while (fetcher.hasAsked()) {
            try {
                buffer.add(fetcher.claim(0).leases());
            } catch (RedisFailure failure) {
                outage.down(failure.reason());
            }
        }
    }

    /// What arrived for this capsule, or was claimed without its knowing, would else wait until its
    /// lease ends, which for a quiet process may be hours.
    void giveBack(Fetcher fetcher) {
        fetcher.stop();
        fetcher.awaitStop(STOP_PATIENCE);
        for (int i = 0; i < GIVE_BACK_TRIES; i++) {
            try {
                fetcher.giveBack();
                return;
            } catch (RedisFailure failure) {
                outage.down(failure.reason());
                backoff.pause();
            }
        }
    }
}
