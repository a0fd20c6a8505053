package dev.mawashi.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What is to go wrong on a proxy's links, and what has: which burst is cut and where, and how slow
/// all others are.
///
/// A client sends a burst of commands and then waits for their replies: bytes from a client after
/// bytes from the server begin the next burst. Bursts are numbered from 1 over all links. Each link
/// has two threads and the test is a third; they meet in this object's lock.
final class ProxyFaults {
    static final int BUFFER_BYTES = 1 << 16;
    private static final int BEFORE_SEND = -1;
    private static final int CHANCES_MAX = 1_000;

    private final Map<Integer, Integer> replyBytes = new HashMap<>();
    private final Map<Integer, Integer> cuts = new HashMap<>();
    private CountDownLatch replies = new CountDownLatch(0);
    private int bursts;
    private int lastBurst = -1;
    private int firedCuts;
    private boolean isSilent;
    private long delayNanos;
    private long strayNanos;
    private int sliceBytes = BUFFER_BYTES;
    private long bytesPerSecond = Long.MAX_VALUE;

    /// Where a link is: in which burst, and whether that has got a reply.
    static final class Position {
        private int burst;
        private int chances;
        private boolean isAnswered = true;
    }

    synchronized void cutBeforeSend(int burst) {
        cuts.put(burst, BEFORE_SEND);
    }

    synchronized void cutAfterReplyBytes(int burst, int bytes) {
        cuts.put(burst, bytes);
    }

    synchronized void cutAfterReplies(int burst) {
        lastBurst = burst;
    }

    synchronized void holdReplies() {
        replies = new CountDownLatch(1);
    }

    synchronized void releaseReplies() {
        replies.countDown();
    }

    synchronized void silence(boolean isOn) {
        isSilent = isOn;
    }

    synchronized void delay(Duration time) {
        delayNanos = time.toNanos();
    }

    synchronized void stray(Duration max) {
        strayNanos = max.toNanos();
    }

    synchronized void slice(int bytes) {
        sliceBytes = bytes;
    }

    synchronized void throttle(long bytesEachSecond) {
        bytesPerSecond = bytesEachSecond;
    }

    synchronized int bursts() {
        return bursts;
    }

    synchronized int firedCuts() {
        return firedCuts;
    }

    synchronized boolean hasCutAhead() {
        return lastBurst >= 0 || !cuts.isEmpty();
    }

    synchronized int replyBytes(int burst) {
        return replyBytes.getOrDefault(burst, 0);
    }

    synchronized boolean isSilent() {
        return isSilent;
    }

    /// Notes that a client sends, which may begin a burst.
    ///
    /// @return false where the link is to be cut instead
    synchronized boolean maySend(Position link) {
        if (link.isAnswered) {
            if (bursts == lastBurst) {
                lastBurst = -1;
                firedCuts++;
                return false;
            }
            link.isAnswered = false;
            link.burst = ++bursts;
        }
        Integer cut = cuts.get(link.burst);
        if (cut != null && cut == BEFORE_SEND) {
            cuts.remove(link.burst);
            firedCuts++;
            return false;
        }
        return true;
    }

    /// After how many bytes of its replies the link's burst is cut.
    synchronized @Nullable Integer cut(Position link) {
        return cuts.get(link.burst);
    }

    synchronized void fired(Position link) {
        cuts.remove(link.burst);
        firedCuts++;
    }

    /// Notes bytes of a reply and returns how many there were before.
    synchronized int count(Position link, int length) {
        link.isAnswered = true;
        int before = replyBytes.getOrDefault(link.burst, 0);
        replyBytes.put(link.burst, before + length);
        return before;
    }

    void awaitRelease() {
        CountDownLatch gate;
        synchronized (this) {
            gate = replies;
        }
        try {
            gate.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits as long as replies are late.
    ///
    /// @return how many bytes may then go in one write
    int awaitDelay() {
        long delay;
        int slice;
        synchronized (this) {
            delay = delayNanos;
            slice = sliceBytes;
        }
        if (delay > 0) {
            LockSupport.parkNanos(delay);
        }
        return slice;
    }

    synchronized boolean isAnswered(Position link) {
        return link.isAnswered;
    }

    /// Waits now and then, for a random time. Not in the long run, so that who sends thousands of
    /// commands comes to an end.
    void awaitStray(Position link) {
        long max;
        synchronized (this) {
            max = ++link.chances > CHANCES_MAX ? 0 : strayNanos;
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (max > 0 && random.nextInt(10) == 0) {
            LockSupport.parkNanos(random.nextLong(max));
        }
    }

    /// Waits as long as so many bytes take.
    void pace(int length) {
        long rate;
        synchronized (this) {
            rate = bytesPerSecond;
        }
        if (rate < Long.MAX_VALUE) {
            LockSupport.parkNanos(length * 1_000_000_000L / rate);
        }
    }
}
