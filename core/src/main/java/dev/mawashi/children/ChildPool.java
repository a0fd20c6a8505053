package dev.mawashi.children;

import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A number of children: each that ends is replaced at once, or, when it did not live for long,
/// after a pause that grows. One that is over a limit is replaced too: when its successor is ready,
/// it gets no more jobs and ends when it has run those that it has.
///
/// Each capsule whose jobs they run has a lane: threads of its own in each child, or in some of
/// them where it has fewer slots than there are children.
///
/// A virtual thread keeps each place filled. Beside the child that works there, at most one of its
/// own generation may be about to end, and at most two of each before.
public final class ChildPool implements AutoCloseable {
    private static final Duration READY_PATIENCE = Duration.ofMinutes(5);

    /// A child that lived shorter than that is not replaced at once.
    private static final Duration SHORT_LIFE = Duration.ofSeconds(2);

    /// For what the app does when a child ends: blocks for `:quiet` and `:shutdown` that still run
    /// get five seconds of it.
    private static final Duration END_PATIENCE = Duration.ofSeconds(8);

    /// How often children are looked at: their memory, their age, and whether they hang.
    static final Duration LOOK = Duration.ofSeconds(5);

    /// At so many looks in a row the parent was stopped while a child was wanted, and is killed.
    private static final int PARENT_STOPPED_LOOKS = 2;

    private final Family family;
    private final Size size;
    private final Consumer<String> onTrouble;
    private final Lanes lanes;
    private final Set<Member> members = ConcurrentHashMap.newKeySet();
    private volatile ChildLimits limits;
    private volatile boolean isClosing;

    /// Forks that are waited for.
    private final AtomicInteger awaited = new AtomicInteger();

    private int stoppedLooks;

    /// Why the last fork failed; "" when it did not.
    private volatile String failure = "";

    /// Runs jobs on the children.
    public interface User {
        /// @return takes the reports of a child that will be forked for a place
        ChildListener listener(int number);

        /// A child takes jobs from now on.
        ///
        /// @param listener the one that was asked for it
        void ready(Child child, ChildListener listener);

        /// A child has a successor: it is to get no more jobs, and to be ended when it has none.
        ///
        /// @param why in words
        void leave(Child child, ChildListener listener, String why);
    }

    /// A way in which the jobs of a child run, with its letter on the wire.
    enum Kind {
        /// On threads of the child.
        THREADS('T'),
        /// In forks of the child, one for each job.
        FORKS('F');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        char letter() {
            return letter;
        }
    }

    /// @param first its first place in the family
    /// @param dialect of the jobs
    record Size(int first, int processes, Kind kind, Dialect dialect) {}

    /// The work of a child.
    ///
    /// @param threads of each lane, jobs that run there at once
    record Work(Kind kind, Dialect dialect, List<Integer> threads) {}

    ChildPool(Family family, Size size, ChildLimits limits, Consumer<String> onTrouble) {
        this.family = family;
        this.size = size;
        this.limits = limits;
        this.onTrouble = onTrouble;
        lanes = new Lanes(size.processes());
    }

    /// Adds a lane, before the start: so many slots, spread over the children.
    ///
    /// @return its number, from 0
    public int addLane(int slots) {
        return lanes.add(slots);
    }

    public int lanes() {
        return lanes.count();
    }

    public int processes() {
        return size.processes();
    }

    /// Jobs of a lane that all children run at once.
    public int slots(int lane) {
        return lanes.slots(lane);
    }

    /// Jobs of a lane that the child at one place of the family runs at once.
    public int slots(int lane, int place) {
        return lanes.at(place - size.first()).get(lane);
    }

    /// Whether each job has a process of its own, which can be killed alone.
    public boolean isForking() {
        return size.kind() == Kind.FORKS;
    }

    /// What runs the jobs in one word, as flags and pages name it.
    public String runner() {
        return isForking() ? "fork" : "mri";
    }

    /// The children that live now.
    public Collection<Child> children() {
        return members.stream().map(Member::child).toList();
    }

    /// Why no child lives that could run jobs; "" when there is one, and before the first fork has
    /// failed.
    public String trouble() {
        return members.isEmpty() && !isClosing ? failure : "";
    }

    /// Forks all children and keeps their number.
    public void start(User user) {
        for (int i = 0; i < size.processes(); i++) {
            int place = size.first() + i;
            Thread.ofVirtual().name("mawashi-keeper-" + (place + 1)).start(() -> keep(place, user));
        }
        Thread.ofVirtual().name("mawashi-look-" + (size.first() + 1)).start(this::keepLooking);
    }

    private void keep(int place, User user) {
        Backoff backoff = new Backoff();
        Member working = null;
        Member leaving = null;
        while (!isClosing) {
            long born = System.nanoTime();
            try {
                Member next = live(place, user, working);
                leaving = working == null ? leaving : working;
                working = next;
                awaitReplacement(working, leaving);
            } catch (ChildFailure | ExecutionException | TimeoutException failed) {
                if (!isClosing) {
                    report(noChild(failed));
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            working = working == null || working.hasEnded() ? null : working;
            if (System.nanoTime() - born < SHORT_LIFE.toNanos() && !isClosing) {
                backoff.pause();
            } else {
                backoff.reset();
            }
        }
    }

    private void report(String line) {
        failure = line;
        onTrouble.accept(line);
    }

    private static String noChild(Exception failed) {
        Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
        return "no child process: " + cause.getMessage();
    }

    /// Forks a child and has it take over.
    ///
    /// @param before the one that works at this place; null when there is none
    private Member live(int place, User user, @Nullable Member before)
            throws InterruptedException, ExecutionException, TimeoutException {
        ChildListener listener = user.listener(place);
        Member member = new Member(listener, () -> limits, members::remove);
        Child child = fork(place, lanes.at(place - size.first()), member);
        member.isReady(child);
        members.add(member);
        failure = "";
        if (member.isGone()) {
            members.remove(member);
        }
        // A restart has perhaps looked at the members before this one was among them.
        renew(member);
        if (before != null && !before.hasEnded()) {
            user.leave(before.child(), before.user(), before.reliefReason());
        }
        user.ready(child, listener);
        if (isClosing) {
            child.end();
        }
        return member;
    }

    /// Forks one more child, for one job of a lane at a time, beside those whose number is kept.
    /// The caller has it end.
    ///
    /// @throws ChildFailure when there is none
    public Child forkAlone(ChildListener listener, int lane) {
        Member member = new Member(listener, () -> limits, members::remove);
        try {
            Child child = fork(size.first(), lanes.alone(lane), member);
            member.isReady(child);
            members.add(member);
            if (member.isGone()) {
                members.remove(member);
            }
            return child;
        } catch (ExecutionException | TimeoutException failed) {
            throw new ChildFailure(noChild(failed));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ChildFailure("no child process: interrupted");
        }
    }

    private Child fork(int place, List<Integer> threads, Member member)
            throws InterruptedException, ExecutionException, TimeoutException {
        RubyParent parent = family.parent();
        awaited.incrementAndGet();
        try {
            return parent.fork(place, new Work(size.kind(), size.dialect(), threads), member)
                    .get(READY_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            awaited.decrementAndGet();
        }
    }

    /// One of old code may have to be waited for without end, which holds up no one of new code.
    private static void awaitReplacement(Member working, @Nullable Member leaving)
            throws InterruptedException, ExecutionException {
        working.relief().get();
        if (leaving != null && leaving.child().generation() == working.child().generation()) {
            CompletableFuture.anyOf(working.end(), leaving.end(), working.outdated()).get();
        }
    }

    /// Has the children of old code replaced.
    void renew() {
        members.forEach(this::renew);
    }

    private void renew(Member member) {
        if (family.isOld(member.child().generation())) {
            member.outdate();
        }
    }

    private void keepLooking() {
        while (!isClosing) {
            LockSupport.parkNanos(LOOK.toNanos());
            check();
        }
    }

    /// Kills children that are over a limit or were stopped, and has those replaced that hang. To
    /// be called from time to time, which it is by itself too.
    public synchronized void check() {
        for (Member member : members) {
            if (member.check(ageLimit(member.child().number() - size.first()))) {
                member.child().kill();
            }
        }
        checkParent();
    }

    /// A parent that was stopped forks no child: when one is wanted, it goes, and with it all that
    /// it has forked, whose jobs run again.
    private void checkParent() {
        RubyParent parent = family.present();
        boolean isStopped = parent != null && awaited.get() > 0 && parent.isStopped();
        stoppedLooks = isStopped ? stoppedLooks + 1 : 0;
        if (parent != null && stoppedLooks >= PARENT_STOPPED_LOOKS) {
            onTrouble.accept(
                    "the Ruby parent process %s is stopped and forks no child: it is killed"
                            .formatted(parent.pid()));
            parent.kill();
        }
    }

    /// Replaces children within these limits from now on.
    public void limit(ChildLimits present) {
        limits = present;
    }

    /// Spread over a tenth, so that children which were forked together do not all go together.
    private @Nullable Duration ageLimit(int place) {
        Duration age = limits.age();
        return age == null ? null : age.minus(age.multipliedBy(place).dividedBy(10L * processes()));
    }

    /// Kills a child at once; it is replaced.
    public void kill(Child child) {
        child.kill();
    }

    /// Ends all children, which get a moment for their `:exit` blocks. What is left then ends with
    /// the family.
    @Override
    public void close() {
        isClosing = true;
        CompletableFuture<?>[] ends =
                members.stream().map(Member::end).toArray(CompletableFuture[]::new);
        members.forEach(member -> member.child().end());
        try {
            CompletableFuture.allOf(ends).get(END_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // They are killed with the parent.
        }
    }
}
