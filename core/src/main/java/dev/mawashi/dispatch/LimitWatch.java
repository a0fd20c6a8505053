package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.job.Cut;
import dev.mawashi.lifecycle.Loop;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Watches over the jobs of a capsule that run: has one asked to end that is over its time limit or
/// cancelled, and has it ended when it does not within the grace.
///
/// It looks at what runs from time to time, so that a job which is done before costs nothing: no
/// payload is read for its limit before a second look. While nothing runs it sleeps, until a slot
/// begins a job. Before it sleeps it reports that nothing runs: at its first look that finds
/// nothing and once more at the next one, since a job leaves its slot a moment before it counts as
/// ended. All but `onIdle`, `wake`, `follow` and `stop` is its own thread's.
final class LimitWatch {
    private static final Duration LOOK = Duration.ofMillis(250);

    /// The second time takes more along, see `Slots`.
    private static final int ENDS_MAX = 2;

    private final Slots slots;
    private final Nap nap;
    private final RunParts parts;
    private final Loop loop;

    /// Any thread may put others in their place.
    private volatile TimeLimits limits;

    /// Those of the last look.
    private TimeLimits followed;

    private IdentityHashMap<Lease, Run> runs = new IdentityHashMap<>();
    private boolean wasIdle;
    private volatile Runnable idle = () -> {};

    /// @param nap ended by the slots each time that one has begun a job
    LimitWatch(Slots slots, Nap nap, RunParts parts, CapsuleSettings settings) {
        this.slots = slots;
        this.nap = nap;
        this.parts = parts;
        limits = settings.limits();
        followed = limits;
        // No virtual thread: waking one so often took an idle server 0.2 % of a core more.
        loop = Loop.platform(settings.loopName("limit"), this::step).wakingSteps(nap::end);
    }

    /// A job that runs, with its limit.
    private static final class Run {
        private long limitNanos;
        private boolean isLimitKnown;
        private Set<String> comparedWith = Set.of();
        private @Nullable Cut cut;
        private long cutNanos;
        private int ends;
    }

    void start() {
        loop.start();
        parts.cancelled().onChange(this::wake);
    }

    /// See `Capsule.onIdle`.
    void onIdle(Runnable listener) {
        idle = listener;
    }

    private void wake() {
        slots.reconsider();
        loop.wake();
    }

    private Duration step() {
        try {
            look();
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("limit", defect));
        }
        // After each nap too: short jobs on a server with little to do do not wake it each time.
        return LOOK;
    }

    private void look() {
        check(System.nanoTime());
        if (!runs.isEmpty()) {
            wasIdle = false;
        } else if (!wasIdle) {
            wasIdle = true;
            idle.run();
        } else {
            nap.take(this::isIdle);
            wasIdle = false;
            check(System.nanoTime());
        }
    }

    /// Reports here too, where what begins from now on ends the nap: no job comes and goes unseen.
    private boolean isIdle() {
        if (loop.isStopping() || !slots.running().isEmpty()) {
            return false;
        }
        idle.run();
        return true;
    }

    /// From the next look on; safe for any thread.
    void follow(TimeLimits present) {
        limits = present;
        loop.wake();
    }

    private void check(long now) {
        TimeLimits present = limits;
        if (!present.equals(followed)) {
            followed = present;
            runs.values().forEach(run -> run.isLimitKnown = false);
        }
        IdentityHashMap<Lease, Run> running = new IdentityHashMap<>();
        for (Running one : slots.running()) {
            Run before = runs.get(one.lease());
            Run run = before == null ? first(one) : before;
            running.put(one.lease(), run);
            check(one, run, now);
        }
        runs = running;
    }

    private Run first(Running one) {
        Run run = new Run();
        run.limitNanos = followed.ofQueueNanos(one.lease().queue());
        return run;
    }

    private void check(Running one, Run run, long now) {
        long age = now - one.startedNanos();
        if (!run.isLimitKnown && age > LOOK.toNanos()) {
            run.limitNanos = followed.nanos(one.lease());
            run.isLimitKnown = true;
        }
        if (run.cut == null) {
            run.cut = cut(one.lease(), run, age);
            run.cutNanos = now;
        }
        Cut cut = run.cut;
        if (cut == null || run.ends == ENDS_MAX) {
            return;
        }
        if (now - run.cutNanos > followed.grace().toNanos() * (run.ends + 1)) {
            run.ends++;
            slots.end(one.lease(), cut);
        } else if (run.ends == 0) {
            // Again at each look: a child may not have begun it when it was first asked.
            slots.cut(one.lease(), cut);
        }
    }

    private @Nullable Cut cut(Lease lease, Run run, long age) {
        Set<String> cancelled = parts.cancelled().names();
        if (!run.comparedWith.equals(cancelled)) {
            run.comparedWith = cancelled;
            if (parts.cancelled().has(lease)) {
                return Cut.CANCELLED;
            }
        }
        return age > run.limitNanos ? Cut.overTime(Duration.ofNanos(run.limitNanos)) : null;
    }

    void stop() {
        loop.stop(Duration.ZERO);
    }
}
