package dev.mawashi.server;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.dispatch.CancelWatch;
import dev.mawashi.dispatch.Cancelled;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.dispatch.Suspects;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.presence.ProcessName;
import dev.mawashi.presence.Recovery;
import dev.mawashi.settle.Settler;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.wire.QueueLayout;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// What both sides of a server have in common.
///
/// @param onSuspects called when there are suspects that it may run
record Shared(
        ServerSettings settings,
        ProcessName name,
        Instant startedAt,
        Runnable onSuspects,
        InstantSource clock,
        Listener listener,
        Outage outage) {
    /// A side's recovery of what dead processes held.
    ///
    /// @param capsules the side's own, which run the suspects
    Recovery recovery(RedisBroker broker, Epoch epoch, List<Capsule> capsules) {
        return new Recovery(
                broker.leasing(),
                epoch,
                settings.lease(),
                queue -> {
                    if (Suspects.areRunFor(capsules, queue)) {
                        onSuspects.run();
                    }
                },
                listener,
                outage);
    }

    /// A side's watch, which ends the jobs that `mawashi cancel` marks.
    ///
    /// @param layout of the side's queues
    CancelWatch cancelWatch(
            RedisBroker broker, QueueLayout layout, Cancelled cancelled, Settler settler) {
        CancelMarks marks =
                new CancelMarks(broker.connect("cancel"), broker.connect("watch"), layout);
        return new CancelWatch(marks, cancelled, settler, listener, outage);
    }
}
