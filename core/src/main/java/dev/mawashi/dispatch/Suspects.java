package dev.mawashi.dispatch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Leasing;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Runs suspects, jobs that were in hand at several crashes, one after the other. It has the
/// process to itself, whose capsules claim nothing else, so that a further crash can only be the
/// fault of the one that runs, however long that takes.
///
/// It ends when there are none left, when its capsules are quiet, or when a job holds a thread for
/// good, beside which the next would not be alone.
public final class Suspects implements Service {
    private static final int SOLO_CRASHES_MAX = 3;

    private static final Duration LOOK = Duration.ofMillis(250);

    /// How long others are waited for: to start a process takes longer.
    private static final Duration LINGER = Duration.ofSeconds(5);

    private static final Duration FLUSH = Duration.ofSeconds(5);

    private static final Outcome.Failed CRASHED =
            new Outcome.Failed(
                    "Mawashi::ProcessCrashed",
                    "the process died each of the "
                            + SOLO_CRASHES_MAX
                            + " times that this job ran alone in it",
                    List.of(),
                    new RetryHint(
                            RetryHint.Retry.DEFAULT, OptionalLong.empty(), RetryHint.Verdict.KILL));

    private final List<Capsule> capsules;
    private final Runnable onEnd;
    private final Outage outage;
    private final Duration linger;
    private final IdentityHashMap<Capsule, Sessions> sessions = new IdentityHashMap<>();
    private final Loop loop = Loop.platform("alone", this::step).farewell(this::end);

    /// When it has waited long enough for others.
    private long endNanos;

    /// The sessions of one capsule's broker that this needs.
    private record Sessions(Claiming claiming, Leasing leasing) {
        static Sessions of(Broker broker) {
            return new Sessions(broker.claiming(), broker.leasing());
        }

        void close() {
            claiming.close();
            leasing.close();
        }
    }

    /// @param capsules all of the process, started by `startAlone`
    /// @param onEnd called once, when no more will run
    public Suspects(List<Capsule> capsules, Outage outage, Runnable onEnd) {
        this(capsules, outage, LINGER, onEnd);
    }

    Suspects(List<Capsule> capsules, Outage outage, Duration linger, Runnable onEnd) {
        this.capsules = List.copyOf(capsules);
        this.outage = outage;
        this.linger = linger;
        this.onEnd = onEnd;
    }

    /// Whether suspects of a queue would be run for these capsules now: one of them serves it, and
    /// it is not paused.
    public static boolean areRunFor(List<Capsule> capsules, String queue) {
        return capsules.stream().anyMatch(one -> one.openQueues().contains(queue));
    }

    @Override
    public void start() {
        linger();
        loop.start();
    }

    private void linger() {
        endNanos = System.nanoTime() + linger.toNanos();
    }

    private Duration step() {
        if (isOver() || System.nanoTime() - endNanos >= 0) {
            return Loop.OVER;
        }
        try {
            if (hasRunOne()) {
                linger();
                return Duration.ZERO;
            }
            return LOOK;
        } catch (RuntimeException defect) {
            // The process is there for this alone, and another takes its place.
            capsules.getFirst().parts().runs().listener().on(new Event.Defect("alone", defect));
            return Loop.OVER;
        }
    }

    private void end() {
        sessions.values().forEach(Sessions::close);
        onEnd.run();
    }

    private boolean isOver() {
        return loop.isStopping()
                || capsules.stream().anyMatch(one -> one.isQuiet() || one.stuck().threads() > 0);
    }

    private boolean hasRunOne() {
        for (Capsule capsule : capsules) {
            try {
                Optional<Claiming.Suspect> suspect = claim(capsule);
                if (suspect.isPresent()) {
                    run(suspect.get(), capsule);
                    return true;
                }
            } catch (RedisFailure failure) {
                // What one capsule's queues refuse keeps no other's suspects from running.
                outage.down(failure.reason());
            }
        }
        return false;
    }

    private Optional<Claiming.Suspect> claim(Capsule capsule) {
        Sessions own = sessions.computeIfAbsent(capsule, one -> Sessions.of(one.parts().broker()));
        Epoch epoch = capsule.parts().runs().epoch();
        List<String> some = new ArrayList<>(own.leasing().queuesWithSuspects());
        some.retainAll(Set.copyOf(capsule.openQueues()));
        // Where there is none yet, nothing is claimed before the next look.
        some.forEach(queue -> epoch.leased().use(queue));
        return own.claiming().claimSuspect(some, epoch.owner());
    }

    private void run(Claiming.Suspect suspect, Capsule claimer) {
        Lease lease = suspect.lease();
        RunParts parts = claimer.parts().runs();
        Capsule home = home(lease, claimer);
        if (suspect.soloCrashes() >= SOLO_CRASHES_MAX) {
            parts.listener().on(new Event.SuspectGivenUp(JobNames.of(lease), SOLO_CRASHES_MAX));
            bury(lease, home);
            return;
        }
        parts.listener().on(new Event.SuspectRuns(JobNames.of(lease), suspect.soloCrashes()));
        home.runAlone(lease);
        parts.settler().flush(FLUSH);
    }

    /// Where a job runs that `claimer` has claimed.
    private Capsule home(Lease lease, Capsule claimer) {
        LeaseBuffer target = claimer.parts().routes().target(lease);
        return capsules.stream().filter(one -> one.takesFrom(target)).findFirst().orElse(claimer);
    }

    /// The app hears of it once it is settled, since hearing of it may end the process as well.
    private static void bury(Lease lease, Capsule home) {
        RunParts parts = home.parts().runs();
        LateNews news = new LateNews();
        parts.settle(lease, CRASHED, news);
        if (parts.settler().flush(FLUSH)) {
            home.notifyApp(news);
        }
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
