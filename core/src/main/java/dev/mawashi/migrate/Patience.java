package dev.mawashi.migrate;

import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.function.Supplier;

/// Repeats steps whose reply was lost, or that could not be sent, for a while. Each of them may be
/// repeated.
record Patience(Duration longest) {
    /// @throws RedisFailure when Redis refuses it, or does not answer for too long
    <T> T insist(Supplier<T> step) {
        Backoff backoff = new Backoff();
        long began = System.nanoTime();
        while (true) {
            try {
                return step.get();
            } catch (RedisFailure failure) {
                if (failure.kind() == RedisFailure.Kind.REFUSED
                        || System.nanoTime() - began >= longest.toNanos()) {
                    throw failure;
                }
                backoff.pause();
            }
        }
    }

    void insist(Runnable step) {
        boolean _ =
                insist(() -> {
                    step.run();
                    return true;
                });
    }
}
