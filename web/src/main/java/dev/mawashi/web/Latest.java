package dev.mawashi.web;

import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The last reading of something that is slow to read, made anew when it is asked for and too old.
/// However many ask, one reads at a time; who asks waits for a limited time.
final class Latest<T> implements AutoCloseable {
    private final Supplier<T> read;
    private final long ageNanosMax;
    private final ExecutorService reader =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("mawashi-web-read-", 1).factory());
    private @Nullable CompletableFuture<T> reading;
    private long readNanos;

    /// @param read called on a thread of its own
    Latest(Supplier<T> read, Duration ageMax) {
        this.read = read;
        ageNanosMax = ageMax.toNanos();
    }

    /// A reading that is not too old.
    ///
    /// @return empty when Redis does not give it, or not within `patience`
    Optional<T> get(Duration patience) {
        try {
            return Optional.of(fresh().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisFailure) {
                return Optional.empty();
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private synchronized CompletableFuture<T> fresh() {
        CompletableFuture<T> present = reading;
        long now = System.nanoTime();
        if (present == null || (present.isDone() && now - readNanos > ageNanosMax)) {
            present = CompletableFuture.supplyAsync(read, reader);
            reading = present;
            readNanos = now;
        }
        return present;
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
