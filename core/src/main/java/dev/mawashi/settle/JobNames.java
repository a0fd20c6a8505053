package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.wire.Payload;

/// Makes names of jobs for events.
public final class JobNames {
    private JobNames() {}

    /// The name of a job whose payload may be unreadable.
    public static Event.JobName of(Lease lease) {
        return of(lease.queue(), lease.payload());
    }

    /// The same of a job that nobody holds.
    public static Event.JobName of(String queue, byte[] bytes) {
        Payload payload = Payload.tryParse(bytes);
        return payload == null ? new Event.JobName(queue, "", "") : of(queue, payload);
    }

    static Event.JobName of(Lease lease, Payload payload) {
        return of(lease.queue(), payload);
    }

    private static Event.JobName of(String queue, Payload payload) {
        String jobClass = payload.jobClass();
        String jid = payload.text("jid");
        return new Event.JobName(queue, jobClass == null ? "" : jobClass, jid == null ? "" : jid);
    }
}
