package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.FailurePlace;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fleet.ResqueWorkers;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.OwnReading;
import dev.mawashi.presence.QueueWatch;
import dev.mawashi.presence.ResqueBeat;
import dev.mawashi.presence.ResqueWorker;
import dev.mawashi.schedule.DelayedPromoter;
import dev.mawashi.settle.FailurePolicy;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// A server's Resque half: one capsule, with a lease, a settler and a recovery of its own, since it
/// shares only the process with Sidekiq's queues.
final class ResqueSide implements Side {
    private final ResqueSettings settings;
    private final Shared shared;
    private final SideParts parts;
    private final Capsule capsule;
    private final LeaseKeeper keeper;
    private List<Service> forAll = List.of();

    /// @param tallies of the whole process
    /// @throws StartFailure when the capsule cannot be as it is wanted
    ResqueSide(ResqueSettings settings, Apps apps, Shared shared, RunTallies tallies) {
        this.settings = settings;
        this.shared = shared;
        parts =
                new SideParts(
                        shared,
                        shared.broker().beside(DeadLimits.DEFAULT, settings.keys().layout()),
                        Cancelled.byRun());
        keeper = parts.keeper(List.of());
        capsule = capsule(apps, tallies);
    }

    private Capsule capsule(Apps apps, RunTallies tallies) {
        CapsulePlan plan = shared.settings().isAlone() ? settings.plan().alone() : settings.plan();
        FailurePlace place =
                new FailurePlace(
                        settings.keys(),
                        settings.isFailureListPerQueue(),
                        ResqueWorker.id(shared.name(), settings.queues()));
        FailurePolicy policy =
                new FailurePolicy(place, shared.clock(), ZoneId.systemDefault(), shared.listener());
        return new Capsule(
                size(plan),
                apps.execution(plan, Dialect.RESQUE),
                parts.forCapsules(policy, tallies, "resque"));
    }

    private CapsuleSettings size(CapsulePlan plan) {
        try {
            return new CapsuleSettings(
                    plan.name(), plan.slots(), QueueOrder.NONE, settings.limits());
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("Resque's queues: " + wrong.getMessage());
        }
    }

    @Override
    public List<Capsule> capsules() {
        return List.of(capsule);
    }

    @Override
    public boolean isGoingRound() {
        return keeper.isGoingRound();
    }

    @Override
    public List<Service> services(OwnReading own) {
        forAll = shared.settings().isAlone() ? List.of() : forAll();
        return Stream.of(first(), forAll, last()).flatMap(List::stream).toList();
    }

    private List<Service> first() {
        return List.of(
                keeper,
                parts.settler,
                new ResqueBeat(
                        new ResqueWorkers(parts.broker.chores(), settings.keys()),
                        new ResqueWorker(
                                shared.name(),
                                settings.queues(),
                                capsule.settings().slots(),
                                shared.startedAt()),
                        capsule,
                        ZoneId.systemDefault(),
                        shared.outage()));
    }

    /// The services that work for other processes too.
    private List<Service> forAll() {
        return List.of(
                parts.recovery(List.of(capsule)),
                new DelayedPromoter(
                        parts.broker.delayedJobs(
                                settings.keys(), settings.keys().masterLock(settings.lockPrefix())),
                        shared.listener(),
                        shared.outage()));
    }

    private List<Service> last() {
        Set<String> watched = Set.of(settings.keys().queues(), settings.keys().pauseAll());
        return List.of(
                parts.cancelWatch(settings.keys().layout()),
                new QueueWatch(
                        parts.broker.watch(watched::contains),
                        settings.keys(),
                        settings.queues(),
                        new QueueWatch.Served(keeper, capsule, parts.pauses, shared.parkedMax()),
                        shared.listener(),
                        shared.outage()));
    }

    @Override
    public void standDown() {
        forAll.forEach(service -> service.stop(RunningServer.PART_PATIENCE));
    }

    @Override
    public String describe() {
        return "Resque's queues %s with %s %s, %s"
                .formatted(
                        settings.queues().describe(),
                        capsule.settings().slots(),
                        capsule.settings().slots() == 1 ? "slot" : "slots",
                        settings.plan().describeRunner());
    }
}
