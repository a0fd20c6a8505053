package dev.mawashi.settle;

import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Settlements that Redis refused one by one, while it takes others: a key of a wrong type, or one
/// that the user may not touch. Each is tried again until Redis takes it or the process ends.
///
/// Those of one kind and queue are most likely refused for one reason, so that one of them is tried
/// for all: while it is refused the pauses grow, and once it is taken the rest follow. `isFull`
/// says when they take so much memory that no more jobs may be claimed. The settler's thread owns
/// all of it; any thread may ask for `isFull` and `count`.
final class SetAside {
    /// Most bytes kept, which is more than three of the largest payloads.
    static final long BYTES_MAX = 64L << 20;

    /// What the objects of one settlement take beside its bytes, about.
    private static final int OBJECT_BYTES = 200;

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    /// Most settlements in one round trip once Redis takes them again, and most bytes of them.
    private static final int TOGETHER_MAX = 1_000;

    private static final int TOGETHER_BYTES_MAX = 1 << 20;
    private static final int REASONS_KEPT = 100;

    private final Listener listener;
    private final LongSupplier nanoTime;
    private final Map<Place, Group> groups = new LinkedHashMap<>();
    private final Set<String> reported = new HashSet<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private boolean isFullTold;

    /// The common part of settlements that are refused together.
    private record Place(String what, String queue) {}

    /// The settlements of one place.
    private static final class Group {
        private final Queue<Settled> waiting;
        private long due;
        private long pause = FIRST_PAUSE_NANOS;
        private int tried;
        private int refused;
        private int settled;
        private boolean isRefused = true;

        private Group(Queue<Settled> waiting, long now) {
            this.waiting = waiting;
            due = now + pause;
        }
    }

    SetAside(Listener listener, LongSupplier nanoTime) {
        this.listener = listener;
        this.nanoTime = nanoTime;
    }

    void add(Settled refused, RuntimeException reason) {
        Place place = new Place(what(refused.settlement()), refused.lease().queue());
        Group group = groups.computeIfAbsent(place, _ -> group(refused.settlement()));
        group.isRefused = true;
        group.refused++;
        group.waiting.add(refused);
        weigh(1, refused);
        report(place, reason);
    }

    /// Jobs that go back to their queue's head go newest first, so that the oldest comes to stand
    /// at the head.
    private Group group(Settlement kind) {
        Queue<Settled> waiting =
                kind instanceof Settlement.Requeue
                        ? new PriorityQueue<>(
                                Comparator.comparingLong((Settled one) -> -one.lease().token()))
                        : new ArrayDeque<>();
        return new Group(waiting, nanoTime.getAsLong());
    }

    private static String what(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Ack _ -> "done";
            case Settlement.Retry _ -> "retry";
            case Settlement.Bury _ -> "bury";
            case Settlement.Fail _ -> "fail";
            case Settlement.Requeue _ -> "requeue";
            case Settlement.Arrived _ -> "arrived";
        };
    }

    private static int bytes(Settled one) {
        return switch (one.settlement()) {
            case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ -> 0;
            case Settlement.Retry retry -> retry.payload().length;
            case Settlement.Bury bury -> bury.payload().length;
            case Settlement.Fail fail -> fail.record().length;
        };
    }

    private void weigh(int sign, Settled one) {
        bytes.addAndGet(sign * (long) (OBJECT_BYTES + one.lease().payload().length + bytes(one)));
        count.addAndGet(sign);
    }

    /// Once for a reason, however many settlements it is about.
    private void report(Place place, RuntimeException reason) {
        String text =
                reason instanceof RedisFailure refusal
                        ? refusal.reason()
                        : reason.getClass().getName();
        if (reported.size() >= REASONS_KEPT) {
            reported.clear();
        }
        if (reported.add(place.what() + ": " + text)) {
            listener.on(
                    reason instanceof RedisFailure
                            ? new Event.SettlementRefused(place.what(), place.queue(), text)
                            : new Event.Defect("settle", reason));
        }
        if (isFull() && !isFullTold) {
            isFullTold = true;
            listener.on(new Event.SettlementsFull(count()));
        }
    }

    /// Whether any are to be tried now.
    boolean isDue() {
        return nanosLeft() <= 0;
    }

    /// Until some are to be tried; `Long.MAX_VALUE` when there are none.
    long nanosLeft() {
        if (groups.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long now = nanoTime.getAsLong();
        return groups.values().stream()
                .mapToLong(group -> group.due - now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /// Has all tried as soon as possible.
    void hurry() {
        long now = nanoTime.getAsLong();
        groups.values().forEach(group -> group.due = now);
    }

    /// Hands out what is to be tried now, and counts it until it is answered or released.
    List<Settled> takeDue() {
        long now = nanoTime.getAsLong();
        List<Settled> taken = new ArrayList<>();
        long room = TOGETHER_BYTES_MAX;
        for (Group group : groups.values()) {
            if (group.due - now > 0 || room <= 0) {
                continue;
            }
            int most = group.isRefused ? 1 : TOGETHER_MAX;
            group.isRefused = false;
            group.refused = 0;
            while (group.tried < most && room > 0 && !group.waiting.isEmpty()) {
                Settled one = group.waiting.remove();
                room -= bytes(one);
                group.tried++;
                taken.add(one);
            }
        }
        return taken;
    }

    /// Keeps what was handed out no longer.
    void release(List<Settled> taken) {
        taken.forEach(one -> weigh(-1, one));
    }

    /// What was handed out is settled now, but for what was added again.
    void answered(List<Settled> taken) {
        release(taken);
        long now = nanoTime.getAsLong();
        Iterator<Map.Entry<Place, Group>> all = groups.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Place, Group> entry = all.next();
            Group group = entry.getValue();
            if (group.tried > 0) {
                group.settled += group.tried - group.refused;
                group.tried = 0;
                if (group.isRefused) {
                    group.pause = Math.min(LONGEST_PAUSE_NANOS, 2 * group.pause);
                    group.due = now + group.pause;
                }
            }
            if (group.waiting.isEmpty()) {
                all.remove();
                end(entry.getKey(), group.settled);
            }
        }
        isFullTold = isFullTold && count() > 0;
    }

    private void end(Place place, int settled) {
        reported.removeIf(reason -> reason.startsWith(place.what()));
        listener.on(new Event.RefusedSettled(place.what(), place.queue(), settled));
    }

    /// How many there are.
    int count() {
        return count.get();
    }

    /// Whether more would take too much memory.
    boolean isFull() {
        return bytes.get() >= BYTES_MAX;
    }
}
