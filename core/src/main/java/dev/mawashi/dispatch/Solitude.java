package dev.mawashi.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Lets one capsule at a time have the whole process to itself. A suspect must run alone: what runs
/// beside it in another capsule would be blamed with it, and it with them.
public final class Solitude {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final List<Capsule> capsules = new CopyOnWriteArrayList<>();
    private final Semaphore turn = new Semaphore(1);

    void join(Capsule capsule) {
        capsules.add(capsule);
    }

    /// Holds all other capsules back and waits until nothing runs there.
    ///
    /// @return false when another capsule is alone, or running jobs took longer than `patience`;
    ///   the others then go on. After true, `leave` is to be called
    boolean enter(Capsule one, Duration patience) {
        if (!turn.tryAcquire()) {
            return false;
        }
        long end = System.nanoTime() + patience.toNanos();
        others(one).forEach(Capsule::hold);
        while (!others(one).stream().allMatch(Capsule::isStill)) {
            if (System.nanoTime() - end > 0) {
                leave(one);
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    void leave(Capsule one) {
        others(one).forEach(Capsule::letGo);
        turn.release();
    }

    private List<Capsule> others(Capsule one) {
        return capsules.stream().filter(capsule -> capsule != one).toList();
    }
}
