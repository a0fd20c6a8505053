package dev.mawashi.children;

import dev.mawashi.job.Outcome;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A child at one place of a pool, from its fork to its end: passes on its reports, counts what it
/// runs, and knows when it is to be replaced.
final class Member implements ChildListener {
    /// Younger ones are not replaced for their memory: where the limit is less than the app itself
    /// needs, nothing else would happen any more.
    private static final Duration YOUTH = Duration.ofSeconds(10);

    /// At so many looks in a row it has stood still, and is killed. Looks are counted and not time,
    /// which goes on while this process itself stands still.
    private static final int STOPPED_LOOKS = 3;

    /// At so many it has not said a word since it was asked for one, and gets a successor.
    private static final int SILENT_LOOKS = 6;

    private final ChildListener user;
    private final Supplier<ChildLimits> limits;
    private final Consumer<Member> onEnd;
    private final long bornNanos = System.nanoTime();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /// Done when it is to be replaced, or has ended.
    private final CompletableFuture<Void> relief = new CompletableFuture<>();

    /// Done when its code is no more the present one.
    private final CompletableFuture<Void> outdated = new CompletableFuture<>();

    private volatile @Nullable Child child;
    private volatile @Nullable String reliefReason;
    private volatile @Nullable String killReason;

    /// True from before `onEnd` on.
    private volatile boolean isGone;

    /// The reading thread's.
    private long jobs;

    /// The looking thread's.
    private int stoppedLooks;

    private int silentLooks;

    /// @param limits those of its pool at the moment
    /// @param onEnd called before the user hears of its end
    Member(ChildListener user, Supplier<ChildLimits> limits, Consumer<Member> onEnd) {
        this.user = user;
        this.limits = limits;
        this.onEnd = onEnd;
    }

    void isReady(Child ready) {
        child = ready;
    }

    Child child() {
        return Objects.requireNonNull(child);
    }

    ChildListener user() {
        return user;
    }

    CompletableFuture<Void> end() {
        return end;
    }

    CompletableFuture<Void> relief() {
        return relief;
    }

    CompletableFuture<Void> outdated() {
        return outdated;
    }

    boolean isGone() {
        return isGone;
    }

    boolean hasEnded() {
        return end.isDone();
    }

    String reliefReason() {
        return Objects.requireNonNullElse(reliefReason, "");
    }

    /// Looks at its age and memory, and whether it goes on.
    ///
    /// @param ageLimit its pool's, or somewhat less, so that not all go at once; null for none
    /// @return true when it is to be killed
    boolean check(@Nullable Duration ageLimit) {
        Duration age = Duration.ofNanos(System.nanoTime() - bornNanos);
        if (ageLimit != null && age.compareTo(ageLimit) > 0) {
            relieve("it is " + age.toMinutes() + " min old");
        }
        stoppedLooks = ProcessState.isStopped(child().pid()) ? stoppedLooks + 1 : 0;
        if (stoppedLooks >= STOPPED_LOOKS) {
            killReason = "child was stopped for " + seconds(STOPPED_LOOKS - 1);
            return true;
        }
        listen();
        int most = limits.get().memoryMib();
        return most > 0 && usesTooMuch(age, most);
    }

    /// One that is silent is not killed, since a job that lets no other thread of Ruby run looks
    /// the same.
    private void listen() {
        boolean wasHeard = child().wasHeard();
        silentLooks = wasHeard || !child().isRecalled() ? 0 : silentLooks + 1;
        if (silentLooks >= SILENT_LOOKS) {
            silent(child());
        } else if (!wasHeard && !child().isRecalled()) {
            // Nothing that it holds has come to its end since the last look: what it has not begun
            // others may have, and it has to answer.
            child().recall();
        }
    }

    private static String seconds(int looks) {
        return ChildPool.LOOK.multipliedBy(looks).toSeconds() + " s";
    }

    private boolean usesTooMuch(Duration age, int most) {
        long used = child().kib().orElse(0) / 1_024;
        if (used > most && age.compareTo(YOUTH) > 0) {
            relieve("it uses " + used + " MB, its limit is " + most + " MB");
        }
        if (used > 2L * most) {
            killReason =
                    "child used %s MB, more than twice its limit of %s MB".formatted(used, most);
            return true;
        }
        return false;
    }

    /// A child of another generation is to take its place.
    void outdate() {
        relieve("new code takes its place");
        outdated.complete(null);
    }

    private synchronized void relieve(String reason) {
        if (!relief.isDone()) {
            reliefReason = reason;
            relief.complete(null);
        }
    }

    private void count(int ended) {
        jobs += ended;
        long most = limits.get().jobs();
        if (most > 0 && jobs >= most) {
            relieve("it has run " + jobs + " jobs");
        }
    }

    @Override
    public void done(LongBuffer idsAndNanos) {
        int ended = idsAndNanos.remaining() / 2;
        user.done(idsAndNanos);
        count(ended);
    }

    @Override
    public void ended(long id, long nanos, Outcome outcome, boolean hadClass) {
        user.ended(id, nanos, outcome, hadClass);
        count(1);
    }

    @Override
    public void returned(long[] ids) {
        user.returned(ids);
    }

    @Override
    public @Nullable String jid(long id) {
        return user.jid(id);
    }

    @Override
    public void silent(Child silent) {
        relieve("it has answered nothing for " + seconds(SILENT_LOOKS));
        user.silent(silent);
    }

    @Override
    public void asksForItsEnd(String signal) {
        relieve("a job has sent it " + signal);
    }

    @Override
    public void lost(ChildEnd how, @Nullable Noted noted) {
        String reason = killReason;
        isGone = true;
        onEnd.accept(this);
        user.lost(reason == null ? how : how.because(reason), noted);
        end.complete(null);
        relief.complete(null);
    }
}
