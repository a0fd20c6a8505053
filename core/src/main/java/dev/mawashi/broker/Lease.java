package dev.mawashi.broker;

import dev.mawashi.wire.RunId;
import java.util.Objects;

/// A claimed job: one owner holds it until it settles it, gives it back, or loses it to recovery.
///
/// @param queue name of the queue it came from
/// @param owner the holder, unique for a process and its epoch
/// @param token its number in the owner's in-flight store; grows in the order of claiming
/// @param payload the job's exact bytes
public record Lease(String queue, String owner, long token, byte[] payload) {
    public Lease {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(payload, "payload");
    }

    /// Names this run of a job that has no jid; see `RunId`.
    public String runId() {
        return RunId.of(owner, token).toString();
    }
}
