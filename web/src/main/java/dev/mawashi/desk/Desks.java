package dev.mawashi.desk;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;

/// A few connections to Redis, each lent to one request at a time and for a limited time: however
/// many ask, Redis has no more to do at once, and nobody waits for long.
public final class Desks implements AutoCloseable {
    private static final int COUNT = 4;

    private final Duration patience;
    private final BlockingQueue<Desk> free = new ArrayBlockingQueue<>(COUNT);
    private final List<Desk> all = new ArrayList<>();
    private final ScheduledExecutorService clerk =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("mawashi-web-desk-", 1).factory());

    /// A desk in one reader's hands. The clerk ends it when its time is up, and never once it is
    /// over: the desk may be another reader's by then.
    private static final class Loan {
        private final RedisConnection connection;
        private boolean isOver;
        private boolean isCut;

        Loan(RedisConnection connection) {
            this.connection = connection;
        }

        synchronized void cut() {
            if (!isOver) {
                isCut = true;
                connection.abort();
            }
        }

        /// @return whether it was cut
        synchronized boolean end() {
            isOver = true;
            return isCut;
        }
    }

    /// @param connect makes a connection, by its number
    /// @param patience for what is read at a desk; for a free one, half of it
    public Desks(IntFunction<RedisConnection> connect, InstantSource clock, Duration patience) {
        this.patience = patience;
        for (int i = 0; i < COUNT; i++) {
            all.add(Desk.over(connect.apply(i), clock));
        }
        free.addAll(all);
    }

    /// Reads at a desk, on the calling thread.
    ///
    /// @throws RedisAway when Redis does not answer in time, or refuses
    public <T> T read(Function<Desk, T> reading) {
        Desk desk = take();
        Loan loan = new Loan(desk.connection());
        ScheduledFuture<?> limit =
                clerk.schedule(loan::cut, patience.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return reading.apply(desk);
        } catch (RedisFailure failure) {
            String late = "its answers took longer than " + patience.toMillis() + " ms";
            throw loan.end() ? new RedisAway(late) : RedisAway.of(failure);
        } catch (RuntimeException | Error failure) {
            // It may have struck between a command and its reply.
            desk.connection().close();
            throw failure;
        } finally {
            limit.cancel(false);
            loan.end();
            free.add(desk);
        }
    }

    private Desk take() {
        try {
            Desk desk = free.poll(patience.toNanos() / 2, TimeUnit.NANOSECONDS);
            if (desk == null) {
                throw new RedisAway("it answers too slowly for those who ask");
            }
            return desk;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RedisAway("the page is being stopped");
        }
    }

    @Override
    public void close() {
        clerk.shutdownNow();
        all.forEach(desk -> desk.connection().close());
    }
}
