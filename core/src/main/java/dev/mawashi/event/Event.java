package dev.mawashi.event;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// Something that an operator may want to know.
public sealed interface Event {

    /// The job that an event is about, as far as its payload could be read.
    ///
    /// @param queue the queue it was claimed from
    /// @param jobClass its class name, empty when unreadable
    /// @param jid its id, empty when unreadable
    record JobName(String queue, String jobClass, String jid) {}

    /// An event of one job.
    sealed interface OfJob extends Event {
        JobName job();
    }

    /// An event of one queue.
    sealed interface OfQueue extends Event {
        String queue();
    }

    /// A run failed.
    ///
    /// @param retrySeconds until the next run; empty when there is none
    record JobFailed(JobName job, String errorClass, String message, OptionalLong retrySeconds)
            implements OfJob {}

    /// A job went to the dead set.
    record JobBuried(JobName job, String reason) implements OfJob {}

    /// A failed job went to a failure list of Resque's.
    record JobListedAsFailed(JobName job, String errorClass, String message) implements OfJob {}

    /// A failed job was dropped because it asked for that (`retry: false`, `dead: false`).
    record JobDiscarded(JobName job, String reason) implements OfJob {}

    /// A job that an operator has cancelled is gone; it did not begin here, or was ended.
    record JobCancelled(JobName job) implements OfJob {}

    /// A job did not begin, since its time is over, and is gone.
    record JobExpired(JobName job) implements OfJob {}

    /// A job did not begin, since it asks for what this server does not have, and waits in the
    /// retry set.
    record JobHeld(JobName job, String reason) implements OfJob {}

    /// A job does not let itself be ended: it was settled as failed, and the thread that it holds
    /// is stuck.
    ///
    /// @param stuck how many threads are stuck now
    /// @param isReplaced whether another thread takes its place
    record SlotStuck(String thread, JobName job, int stuck, boolean isReplaced) implements OfJob {}

    /// Events of large payloads.
    sealed interface OfPayloads extends Event {
        /// In words.
        String words();
    }

    /// Payloads over the size limit went to the dead set unread.
    record PayloadsTooLarge(int count, int bytesMax) implements OfPayloads {
        @Override
        public String words() {
            return String.format(
                    Locale.ROOT,
                    "%d payloads over %,d bytes went to the dead set unread",
                    count,
                    bytesMax);
        }
    }

    /// Slots stay idle for a while, since the payloads of the jobs in hand take as many bytes as
    /// they may.
    record PayloadsFull(long bytesMax) implements OfPayloads {
        @Override
        public String words() {
            return String.format(
                    Locale.ROOT,
                    "slots stay idle until jobs end: the payloads of those in hand have %,d bytes or"
                            + " more, as many as the heap allows; give the JVM more of it, such as"
                            + " MAWASHI_JAVA_OPTS=-Xmx2g, or jobs smaller arguments",
                    bytesMax);
        }
    }

    /// A job's class names a runner for which the server has no slots; it runs where its queue's
    /// jobs do.
    record NoSuchRunner(String runner, String queue) implements OfQueue {}

    /// Events of queues whose jobs can or cannot be claimed.
    sealed interface OfClaiming extends Event {
        List<String> queues();

        /// In words.
        String words();

        /// As many as a line of the log has room for.
        default String some() {
            int rest = queues().size() - 20;
            return rest <= 0 ? "" + queues() : queues().subList(0, 20) + " and " + rest + " more";
        }
    }

    /// Redis refuses a key of these queues, so that nothing can be claimed from them. Said once,
    /// until `QueuesUsable`.
    record QueuesUnusable(List<String> queues) implements OfClaiming {
        public QueuesUnusable {
            queues = List.copyOf(queues);
        }

        @Override
        public String words() {
            return "nothing can be claimed from the queues "
                    + some()
                    + ", since a key is not what it should be, or this user may not write to it:"
                    + " queue:<name> and mw:{queue:<name>}:arrivals:* are lists,"
                    + " mw:{queue:<name>}:inflight:* hashes, ...:leases a sorted set; look with"
                    + " redis-cli TYPE and delete the wrong one, or with redis-cli ACL LOG";
        }
    }

    /// That is over.
    record QueuesUsable(List<String> queues) implements OfClaiming {
        public QueuesUsable {
            queues = List.copyOf(queues);
        }

        @Override
        public String words() {
            return "jobs can be claimed again from the queues " + some();
        }
    }

    /// Due jobs cannot be moved to their queue; they stay in their set and are tried again.
    record QueueRefused(String queue, String reason, long againSeconds) implements OfQueue {}

    /// Redis refuses what schedules need, such as the job of a tick; it is tried again.
    ///
    /// @param what a clause
    record SchedulesRefused(String what, String reason, long againSeconds) implements Event {}

    /// Events of queues whose jobs in dead processes can or cannot be given back.
    sealed interface OfRecovering extends OfQueue {
        /// In words.
        String words();
    }

    /// The jobs of a queue in dead processes stay there: Redis refuses to have them moved. Said
    /// once, until `QueueRecoverable`.
    record QueueUnrecoverable(String queue, String reason) implements OfRecovering {
        @Override
        public String words() {
            return "queue \"%s\" cannot be recovered: %s".formatted(queue, reason);
        }
    }

    /// That is over.
    record QueueRecoverable(String queue) implements OfRecovering {
        @Override
        public String words() {
            return "queue \"%s\" can be recovered again".formatted(queue);
        }
    }

    /// A set of jobs for later cannot be read: what is due in it stays there.
    record SetUnreadable(String set, String reason) implements Event {}

    /// Events of settlements on their way to the broker.
    sealed interface OfSettling extends Event {}

    /// Settlements found their job recovered by another process: it ran, or runs, twice.
    record SettledLate(int count) implements OfSettling {}

    /// A job failed, and its retry, burial or failure record was dropped, since Redis held it no
    /// longer for this process: another has recovered it and runs it again, or Redis has lost it.
    record FailureLost(JobName job) implements OfSettling, OfJob {}

    /// Redis refuses a settlement while it takes others. It stays in flight and is tried again by
    /// itself; reported once for all that are refused for the same reason.
    ///
    /// @param what how the job was to be settled, in one word
    record SettlementRefused(String what, String queue, String reason)
            implements OfSettling, OfQueue {}

    /// Redis has taken all settlements of a kind and queue that it had refused.
    record RefusedSettled(String what, String queue, int count) implements OfSettling, OfQueue {}

    /// So many settlements are refused that no more jobs are claimed until Redis takes some.
    record SettlementsFull(int count) implements OfSettling {}

    /// The process ends with jobs whose settlements Redis did not take: they stay in flight, and
    /// run again.
    record LeftInFlight(int count) implements OfSettling {}

    /// Old entries left the dead set.
    record DeadSetTrimmed(int count) implements Event {}

    /// This process's lease had lapsed and its jobs were recovered; it goes on under a new one.
    record OwnerFenced(String oldOwner, String newOwner) implements Event {}

    /// Redis went back in time, by a restart, a failover or a flush, and this process has made good
    /// what concerns its jobs.
    ///
    /// @param settledAgain jobs in flight again that had ended here: they were settled again
    /// @param givenBack jobs in flight that this process does not have: back at the head
    /// @param heldAgain jobs that it has, and that were not in flight any more: they are again
    record RedisWentBack(int settledAgain, int givenBack, int heldAgain) implements Event {}

    /// Keys of ours are of a wrong type, so that nothing can be claimed from these queues.
    ///
    /// @param reasons by queue
    record LeasesRefused(Map<String, String> reasons) implements Event {
        public LeasesRefused {
            reasons = Map.copyOf(reasons);
        }
    }

    /// Claimed jobs that had not started were dropped, since others have recovered them.
    record ClaimsDropped(int count) implements Event {}

    /// Jobs of dead processes went back to their queue.
    ///
    /// @param jobs some of them
    record JobsRecovered(String queue, List<String> owners, int count, List<JobName> jobs)
            implements OfQueue {
        public JobsRecovered {
            owners = List.copyOf(owners);
            jobs = List.copyOf(jobs);
        }
    }

    /// Some of the recovered jobs are suspects now: they were in hand when a process died again.
    ///
    /// @param jobs some of them
    record JobsSuspected(String queue, int count, List<JobName> jobs) implements OfQueue {
        public JobsSuspected {
            jobs = List.copyOf(jobs);
        }
    }

    /// A suspect is run alone.
    ///
    /// @param crashes how often its process died before while it ran alone
    record SuspectRuns(JobName job, int crashes) implements OfJob {}

    /// A suspect is not run any more, since its process died each time that it ran alone.
    record SuspectGivenUp(JobName job, int crashes) implements OfJob {}

    /// Claimed jobs that no slot came free for went back to their queue.
    record PrefetchReturned(int count) implements Event {}

    /// A child process ended, unasked, while it ran so many jobs.
    ///
    /// @param how in words
    record ChildLost(long pid, String how, int jobs) implements Event {}

    /// A child process gets no more jobs, since another has taken its place.
    ///
    /// @param why in words
    record ChildRecycled(long pid, String why) implements Event {}

    /// The broker does not answer; published at most every five seconds.
    record BrokerDown(String message) implements Event {}

    /// The broker answers again.
    record BrokerUp() implements Event {}

    /// Jobs that did not end within the stop's patience went back to the head of their queue.
    record StopRequeued(int count) implements Event {}

    /// Other queues match what a Resque capsule is to serve than before.
    ///
    /// @param queues all of them now
    /// @param fresh those that did not before
    /// @param gone those that do no longer
    record QueuesServed(List<String> queues, List<String> fresh, List<String> gone)
            implements Event {
        public QueuesServed {
            queues = List.copyOf(queues);
            fresh = List.copyOf(fresh);
            gone = List.copyOf(gone);
        }

        /// In words.
        public String change() {
            return "new %s, gone %s".formatted(fresh, gone);
        }
    }

    /// Other queues are paused than before.
    ///
    /// @param queues all that are paused now; they need not be ours
    record QueuesPaused(Set<String> queues) implements Event {
        /// In the order of their names.
        public Set<String> sorted() {
            return new TreeSet<>(queues);
        }
    }

    /// Redis does not answer which jobs are cancelled, so no job counts as cancelled.
    record CancelsUnreadable(String key, String message) implements Event {}

    /// Redis does not answer which queues are paused; all are served.
    record PausesUnreadable(String message) implements Event {}

    /// Redis does not hand on what this process is asked, so pages and commands cannot look into
    /// it.
    record QuestionsRefused(String key, String message) implements Event {}

    /// The beginning or the end of an alarm of the catalogue.
    sealed interface OfAlarm extends Event {
        /// In words.
        String words();
    }

    /// An alarm stands from now on.
    ///
    /// @param name such as `heap_full`
    /// @param text the illness, its figure and the page with the remedy
    record AlarmBegun(String name, String text) implements OfAlarm {
        @Override
        public String words() {
            return "alarm %s: %s".formatted(name, text);
        }
    }

    /// That is over.
    record AlarmOver(String name, String illness) implements OfAlarm {
        @Override
        public String words() {
            return "alarm %s is over: %s".formatted(name, illness);
        }
    }

    /// A part of the server failed in a way that it should not; it went on.
    record Defect(String where, Throwable cause) implements Event {}
}
