package dev.mawashi.server;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.FailurePlace;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.config.CapsulePlan;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleParts;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.Routes;
import dev.mawashi.dispatch.RunParts;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.QueueWatch;
import dev.mawashi.presence.ResqueBeat;
import dev.mawashi.presence.ResqueWorker;
import dev.mawashi.schedule.DelayedPromoter;
import dev.mawashi.settle.FailurePolicy;
import dev.mawashi.settle.Settler;
import dev.mawashi.tables.ResqueWatch;
import dev.mawashi.tables.ResqueWorkers;
import dev.mawashi.tracing.Traces;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

/// A server's Resque half: one capsule, with a lease, a settler and a recovery of its own, since it
/// shares only the process with Sidekiq's queues.
final class ResqueSide {
    private final ResqueSettings settings;
    private final Shared shared;
    private final RedisBroker broker;
    private final RunTallies tallies;
    private final Epoch epoch;
    private final Settler settler;
    private final Capsule capsule;
    private final LeaseKeeper keeper;
    private final Pauses pauses = new Pauses();
    private final Cancelled cancelled = Cancelled.byRun();

    /// @param tallies of the whole process
    /// @throws StartFailure when the capsule cannot be as it is wanted
    ResqueSide(ResqueSettings settings, Apps apps, Shared shared, RunTallies tallies) {
        this.settings = settings;
        this.shared = shared;
        this.tallies = tallies;
        Listener listener = shared.listener();
        Outage outage = shared.outage();
        broker =
                new RedisBroker(
                        shared.settings().redis(), DeadLimits.DEFAULT, settings.keys().layout());
        epoch = new Epoch(shared.name().identity());
        settler = new Settler(broker.settling(), listener, outage);
        keeper =
                new LeaseKeeper(
                        broker.leasing(),
                        epoch,
                        List.of(),
                        shared.settings().lease(),
                        settler::settle,
                        listener,
                        outage);
        capsule = capsule(apps);
        capsule.serve(QueueOrder.NONE);
    }

    private Capsule capsule(Apps apps) {
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
                new CapsuleParts(
                        broker,
                        shared.outage(),
                        new Routes(shared.listener()),
                        pauses,
                        new RunParts(
                                policy,
                                settler,
                                epoch,
                                shared.listener(),
                                tallies,
                                cancelled,
                                Traces.ofRuns("resque", shared.clock()))));
    }

    private CapsuleSettings size(CapsulePlan plan) {
        try {
            return new CapsuleSettings(
                    plan.name(), plan.slots(), QueueOrder.NONE, settings.limits());
        } catch (IllegalArgumentException wrong) {
            throw new StartFailure("Resque's queues: " + wrong.getMessage());
        }
    }

    Capsule capsule() {
        return capsule;
    }

    /// See `LeaseKeeper.isGoingRound`.
    boolean isGoingRound() {
        return keeper.isGoingRound();
    }

    /// The side's services, in the order in which they start.
    List<Service> services() {
        return Stream.of(
                        first(),
                        shared.settings().isAlone() ? List.<Service>of() : forAll(),
                        last())
                .flatMap(List::stream)
                .toList();
    }

    private List<Service> first() {
        return List.of(
                keeper,
                settler,
                new ResqueBeat(
                        new ResqueWorkers(broker.connect("workers"), settings.keys()),
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
                shared.recovery(broker, epoch, List.of(capsule)),
                new DelayedPromoter(
                        broker.delayedJobs(
                                settings.keys(), settings.keys().masterLock(settings.lockPrefix())),
                        shared.listener(),
                        shared.outage()));
    }

    private List<Service> last() {
        return List.of(
                shared.cancelWatch(broker, settings.keys().layout(), cancelled, settler),
                new QueueWatch(
                        new ResqueWatch(
                                broker.connect("queues"), broker.connect("watch"), settings.keys()),
                        settings.queues(),
                        new QueueWatch.Served(keeper, capsule, pauses),
                        shared.listener(),
                        shared.outage()));
    }

    String describe() {
        return "Resque's queues %s with %s %s, %s"
                .formatted(
                        settings.queues().describe(),
                        capsule.settings().slots(),
                        capsule.settings().slots() == 1 ? "slot" : "slots",
                        settings.plan().describeRunner());
    }
}
