package dev.mawashi.settle;

import dev.mawashi.broker.FailurePlace;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;

/// Decides where a Resque job goes after a run, as Resque decides it: a failed one goes to a
/// failure list, and nothing is tried again by itself.
public final class FailurePolicy implements SettlePolicy {
    /// What Resque raises for a payload that it cannot read.
    private static final String UNREADABLE = "Resque::Helpers::DecodeException";

    private final FailurePlace place;
    private final FailureRecord form;
    private final Listener listener;

    /// @param zone of the times in records, which Resque writes in local time
    public FailurePolicy(FailurePlace place, InstantSource clock, ZoneId zone, Listener listener) {
        this.place = place;
        this.listener = listener;
        form = new FailureRecord(place.worker(), clock, zone);
    }

    @Override
    public Settlement decide(Lease lease, Outcome outcome, GiveUpNotice app) {
        return switch (outcome) {
            case Outcome.Succeeded _ -> Settlement.ACK;
            case Outcome.Cancelled _ -> cancelled(lease);
            case Outcome.Interrupted _ -> Settlement.REQUEUE;
            case Outcome.Malformed malformed ->
                    fail(lease, new Outcome.Failed(UNREADABLE, malformed.reason(), List.of()));
            case Outcome.Failed failed -> fail(lease, failed);
        };
    }

    private Settlement cancelled(Lease lease) {
        listener.on(new Event.JobCancelled(name(lease, lease.runId())));
        return Settlement.ACK;
    }

    private static Event.JobName name(Lease lease, String id) {
        return new Event.JobName(lease.queue(), FailureRecord.jobClass(lease), id);
    }

    private Settlement fail(Lease lease, Outcome.Failed failed) {
        listener.on(
                new Event.JobListedAsFailed(
                        name(lease, ""), failed.errorClass(), failed.message()));
        return new Settlement.Fail(form.of(lease, failed), place);
    }
}
