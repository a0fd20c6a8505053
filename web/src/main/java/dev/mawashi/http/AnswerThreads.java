package dev.mawashi.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Makes answers on threads of its own, apart from those that read requests and write answers:
/// while all of them wait for Redis, probes and the pages' files are answered all the same.
final class AnswerThreads implements AutoCloseable {
    static final int THREADS_MAX = 12;
    private static final int WAITING_MAX = 1_000;

    /// A caller that has waited longer for one of the threads gets an error, since an answer would
    /// come too late.
    static final Duration WAIT_MAX = Duration.ofMillis(400);

    private static final Answer BUSY =
            Answer.text(503, "too many ask at once: try again in a moment")
                    .with(Map.of("Retry-After", "1"));

    private final LongSupplier nanoTime;
    private final ExecutorService threads;

    /// @param nanoTime a monotonic clock
    AnswerThreads(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        THREADS_MAX,
                        THREADS_MAX,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(WAITING_MAX),
                        Thread.ofPlatform().daemon().name("mawashi-web-answer-", 1).factory());
        pool.allowCoreThreadTimeOut(true);
        threads = pool;
    }

    /// @param making called on one of the threads, unless that comes too late
    /// @param taking gets its answer, or 503
    void answer(Supplier<CallReply> making, Consumer<CallReply> taking) {
        long arrival = nanoTime.getAsLong();
        try {
            threads.execute(() -> taking.accept(isLate(arrival) ? BUSY : making.get()));
        } catch (RejectedExecutionException _) {
            taking.accept(BUSY);
        }
    }

    private boolean isLate(long arrival) {
        return nanoTime.getAsLong() - arrival > WAIT_MAX.toNanos();
    }

    /// Those that are answered now still are; who waits is answered no more.
    @Override
    public void close() {
        threads.shutdown();
    }
}
