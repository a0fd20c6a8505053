package dev.mawashi.wire;

import static java.util.Objects.requireNonNull;

/// The keys of queues in Redis, and the end of each list at which the next job is. Ours carry the
/// queue's key as hash tag, so that a Sidekiq queue and a Resque queue of one name have nothing in
/// common.
///
/// @param prefix the key of a queue's list, less the queue's name
/// @param names set of the queues' names, which clients add to
/// @param served set of the queues where something of ours may lie: where recovery looks
/// @param cancelled sorted set of the marks of cancelled jobs that a process may have; see
///   mark_cancelled.lua
/// @param oversized sorted set for payloads that are too large to be read
/// @param nextIsLeft whether the next job to run is the list's leftmost one
public record QueueLayout(
        String prefix,
        String names,
        String served,
        String cancelled,
        String oversized,
        boolean nextIsLeft) {

    /// Sidekiq's (docs/formats/sidekiq.md, "Keys"): new jobs at the left, the next one at the
    /// right.
    public static final QueueLayout SIDEKIQ =
            new QueueLayout(
                    "queue:", Keys.QUEUES, Keys.SERVED_QUEUES, Keys.CANCELLED, Keys.DEAD, false);

    public QueueLayout {
        requireNonNull(prefix, "prefix");
        requireNonNull(names, "names");
        requireNonNull(served, "served");
        requireNonNull(cancelled, "cancelled");
        requireNonNull(oversized, "oversized");
    }

    /// List of a queue's payloads.
    public String queue(String queue) {
        return prefix + queue;
    }

    /// List of jobs that woke a parked process of this owner and are not in its in-flight hash yet.
    public String arrivals(String queue, String owner) {
        return ours(queue) + "arrivals:" + owner;
    }

    /// What builds before 0.2.0 used in place of `arrivals`, for all owners: a sweep puts back what
    /// lies there.
    public String sharedArrivals(String queue) {
        return ours(queue) + "arrivals";
    }

    /// Hash of the jobs that an owner has claimed: token to exact payload bytes.
    public String inflight(String queue, String owner) {
        return ours(queue) + "inflight:" + owner;
    }

    /// Sorted set of the queue's owners; the score is the Redis time in milliseconds at which the
    /// owner's lease lapses.
    public String leases(String queue) {
        return ours(queue) + "leases";
    }

    /// Sorted set of the owners whose jobs others have put back; the score is the Redis time in
    /// milliseconds at which they did.
    public String recovered(String queue) {
        return ours(queue) + "recovered";
    }

    /// Hash of crashes that are noted for jobs which went back to the queue; see recover.lua.
    public String crashes(String queue) {
        return ours(queue) + "crashes";
    }

    /// Hash of the crashes that the recovery of one owner has noted, kept while that recovery is
    /// under way.
    public String noted(String queue, String owner) {
        return ours(queue) + "noted:" + owner;
    }

    /// List of jobs that were in hand at several crashes and wait to be run alone.
    public String suspects(String queue) {
        return ours(queue) + "suspects";
    }

    /// Hash of the crashes of suspects that ran alone; see recover.lua.
    public String crashesAlone(String queue) {
        return ours(queue) + "alone";
    }

    /// List of jobs that a migration has brought from another Redis, and that will be the queue's
    /// next ones; see splice.lua.
    public String brought(String queue) {
        return ours(queue) + "brought";
    }

    /// Shows that these have become the queue's next ones.
    public String spliced(String queue) {
        return ours(queue) + "spliced";
    }

    /// What every key that lies beside a queue begins with.
    public String oursBegin() {
        return "mw:{" + prefix;
    }

    /// A pattern for the keys beside all queues.
    public String anyOfOurs() {
        return oursBegin().replaceAll("[\\[\\]?*\\\\]", "\\\\$0") + "*";
    }

    private String ours(String queue) {
        return oursBegin() + queue + "}:";
    }
}
