package dev.mawashi.presence;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Leasing;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Keeps this process's lease on its queues, from a thread of its own that does nothing else.
///
/// The lease is renewed each third of its length. If it is found gone, others have recovered what
/// this process held: it begins a new epoch and goes on as a new owner. `Epoch.leasedUntil` is set
/// from the time before the renewal was sent, so that the local view never outlives Redis's.
public final class LeaseKeeper implements Service {
    /// Well above what a try takes whose connection hangs.
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);

    private final Leasing leasing;
    private final Epoch epoch;
    private volatile List<String> queues;
    private List<String> opened = List.of();
    private final Duration length;
    private final Listener listener;
    private final Outage outage;
    private volatile boolean isStopping;
    private volatile long wentRoundNanos = System.nanoTime();
    private boolean isOpen;
    private @Nullable Thread thread;

    /// @param queues all that this process serves
    /// @param settings after what time others take this process for dead
    public LeaseKeeper(
            Leasing leasing,
            Epoch epoch,
            List<String> queues,
            LeaseSettings settings,
            Listener listener,
            Outage outage) {
        this.leasing = leasing;
        this.epoch = epoch;
        this.queues = List.copyOf(queues);
        this.length = settings.length();
        this.listener = listener;
        this.outage = outage;
    }

    /// Returns when the lease is open, or when Redis could not be reached; it is then opened as
    /// soon as that is possible.
    @Override
    public void start() {
        keepOnce();
        thread = Thread.ofPlatform().name("mawashi-lease-1").daemon().start(this::run);
    }

    /// Holds the lease on these queues too from now on.
    ///
    /// Called by one thread.
    public void serve(List<String> more) {
        queues = Stream.concat(queues.stream(), more.stream()).distinct().toList();
        LockSupport.unpark(thread);
    }

    private void run() {
        long pause = length.toNanos() / 3;
        long retry = Math.min(pause, Duration.ofMillis(500).toNanos());
        boolean isKept = isOpen;
        while (!isStopping) {
            wentRoundNanos = System.nanoTime();
            LockSupport.parkNanos(isKept ? pause : retry);
            if (!isStopping) {
                isKept = keepOnce();
            }
        }
    }

    /// Whether the lease is still looked after, be Redis there or not. If it is not, this process
    /// starts no job any more.
    public boolean isGoingRound() {
        return System.nanoTime() - wentRoundNanos < length.plus(HANGS_AFTER).toNanos();
    }

    private boolean keepOnce() {
        long sent = System.nanoTime();
        List<String> all = queues;
        try {
            if (!isOpen) {
                leasing.open(epoch.owner(), all, length);
                isOpen = true;
            } else if (!leasing.renew(epoch.owner(), opened, length)) {
                String old = epoch.owner();
                leasing.open(epoch.advance(), all, length);
                listener.on(new Event.OwnerFenced(old, epoch.owner()));
            } else if (!all.equals(opened)) {
                leasing.open(epoch.owner(), added(all), length);
            }
            opened = all;
            epoch.leasedUntil(sent + length.toNanos());
            outage.up();
            return true;
        } catch (RedisFailure failure) {
            outage.down(failure.reason());
            return false;
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect("lease", defect));
            return false;
        }
    }

    private List<String> added(List<String> all) {
        return all.stream().filter(queue -> !opened.contains(queue)).toList();
    }

    /// Gives the lease up; what is still held goes back to the head of its queue.
    @Override
    public void stop(Duration patience) {
        isStopping = true;
        Thread running = thread;
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        try {
            running.join(patience.plus(Duration.ofMillis(100)));
            leasing.release(epoch.owner(), queues);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RedisFailure failure) {
            // The lease lapses by itself and others recover what is left.
            outage.down(failure.reason());
        }
        leasing.close();
        thread = null;
    }
}
