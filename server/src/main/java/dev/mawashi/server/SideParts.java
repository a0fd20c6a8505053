package dev.mawashi.server;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.CancelWatch;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.CapsuleParts;
import dev.mawashi.dispatch.Routes;
import dev.mawashi.dispatch.RunParts;
import dev.mawashi.dispatch.Suspects;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.presence.LeaseKeeper;
import dev.mawashi.presence.Recovery;
import dev.mawashi.settle.SettlePolicy;
import dev.mawashi.settle.Settler;
import dev.mawashi.tracing.Traces;
import dev.mawashi.wire.QueueLayout;
import java.util.List;

/// The parts of which each side of a server has its own.
final class SideParts {
    final RedisBroker broker;
    final Epoch epoch;
    final Settler settler;
    final Pauses pauses = new Pauses();
    private final Shared shared;
    private final Cancelled cancelled;

    /// @param cancelled by what the side's jobs are known
    SideParts(Shared shared, RedisBroker broker, Cancelled cancelled) {
        this.shared = shared;
        this.broker = broker;
        this.cancelled = cancelled;
        epoch = new Epoch(shared.name().identity());
        settler = new Settler(broker.settling(), shared.listener(), shared.outage());
    }

    /// @param policy decides what becomes of runs
    /// @param system as traces name it: `sidekiq`, `resque`
    CapsuleParts forCapsules(SettlePolicy policy, RunTallies tallies, String system) {
        return new CapsuleParts(
                broker,
                shared.outage(),
                new Routes(shared.listener()),
                pauses,
                shared.payloads(),
                new RunParts(
                        policy,
                        settler,
                        epoch,
                        shared.listener(),
                        tallies,
                        cancelled,
                        Traces.ofRuns(system, shared.clock())));
    }

    /// @param parked queues at which the side waits for jobs from its start
    LeaseKeeper keeper(List<String> parked) {
        return new LeaseKeeper(
                broker.leasing(),
                epoch,
                parked,
                shared.settings().lease(),
                settler::settle,
                shared.listener(),
                shared.outage());
    }

    /// Recovers what dead processes held.
    ///
    /// @param capsules the side's, which run the suspects
    Recovery recovery(List<Capsule> capsules) {
        return new Recovery(
                broker.recovering(),
                epoch,
                shared.settings().lease(),
                queue -> {
                    if (Suspects.areRunFor(capsules, queue)) {
                        shared.onSuspects().run();
                    }
                },
                shared.listener(),
                shared.outage());
    }

    /// Ends the jobs that `mawashi cancel` marks.
    CancelWatch cancelWatch(QueueLayout layout) {
        return new CancelWatch(
                broker.watch(layout.cancelled()::equals),
                layout,
                cancelled,
                settler,
                shared.listener(),
                shared.outage());
    }
}
