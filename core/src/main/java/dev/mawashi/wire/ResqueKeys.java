package dev.mawashi.wire;

/// Redis key names of one Resque namespace, byte for byte (docs/formats/resque.md, "Keys").
public record ResqueKeys(String namespace) {
    /// The namespace of an app that has set none.
    public static final ResqueKeys DEFAULT = new ResqueKeys("resque");

    private static final String QUEUE = ":queue:";

    /// @throws IllegalArgumentException when it is empty, or its queues would be Sidekiq's
    public ResqueKeys {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("a Resque namespace has no name");
        }
        if ((namespace + ":").startsWith(QueueLayout.SIDEKIQ.prefix())) {
            throw new IllegalArgumentException(
                    "the Resque namespace \""
                            + namespace
                            + "\" is what Sidekiq's queues begin with");
        }
    }

    /// The keys of an app whose queues' lists begin so.
    ///
    /// @param prefix see `QueueLayout`
    /// @throws IllegalArgumentException where they are none of Resque's
    public static ResqueKeys ofQueues(String prefix) {
        if (!prefix.endsWith(QUEUE)) {
            throw new IllegalArgumentException("no queues of Resque's: " + prefix);
        }
        return new ResqueKeys(prefix.substring(0, prefix.length() - QUEUE.length()));
    }

    /// New jobs at the right, the next one to run at the left.
    public QueueLayout layout() {
        return new QueueLayout(
                namespace + QUEUE,
                queues(),
                "mw:{" + namespace + "}:queues",
                "mw:{" + namespace + "}:cancelled",
                "mw:{" + namespace + "}:oversized",
                true);
    }

    /// Set of queue names.
    public String queues() {
        return key("queues");
    }

    /// String that pauses all queues when it is `true`.
    public String pauseAll() {
        return key("pause-all-workers");
    }

    /// The list of all failures, unless each queue has its own.
    public String failed() {
        return key("failed");
    }

    /// Set of the names of queues' own failure lists.
    public String failedQueues() {
        return key("failed_queues");
    }

    /// Name of a queue's own failure list, as it is in `failed_queues`.
    public static String failedName(String queue) {
        return queue + "_failed";
    }

    /// A failure list by its name: `failed`, or a queue's own.
    public String failureList(String name) {
        return key(name);
    }

    public String statProcessed() {
        return key("stat:processed");
    }

    public String statFailed() {
        return key("stat:failed");
    }

    /// Runs that a worker ended.
    public String statProcessed(String worker) {
        return key("stat:processed:" + worker);
    }

    /// Runs of a worker that failed.
    public String statFailed(String worker) {
        return key("stat:failed:" + worker);
    }

    /// Set of worker ids.
    public String workers() {
        return key("workers");
    }

    /// String that says what a worker runs; absent while it is idle.
    public String worker(String id) {
        return key("worker:" + id);
    }

    /// String that says when a worker started.
    public String workerStarted(String id) {
        return worker(id) + ":started";
    }

    /// Hash of worker id to the time of its last beat.
    public String heartbeats() {
        return key("workers:heartbeat");
    }

    /// Sorted set of the seconds at which resque-scheduler's jobs are due.
    public String delayedSchedule() {
        return key("delayed_queue_schedule");
    }

    /// A second as the reverse index names its list.
    public static String delayedName(String second) {
        return "delayed:" + second;
    }

    /// List of the jobs that are due at a second.
    public String delayed(String second) {
        return key(delayedName(second));
    }

    /// Set of the names of the lists that a delayed job is in.
    public byte[] timestamps(byte[] job) {
        byte[] prefix = Keys.bytes(key("timestamps:"));
        byte[] key = new byte[prefix.length + job.length];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        System.arraycopy(job, 0, key, prefix.length, job.length);
        return key;
    }

    /// Hash of resque-scheduler's dynamic schedules.
    public String persistentSchedules() {
        return key("persistent_schedules");
    }

    /// Set of the names of those that schedulers are to read anew.
    public String schedulesChanged() {
        return key("schedules_changed");
    }

    /// Hash of the time at which each schedule has last enqueued its job.
    public String lastEnqueued() {
        return key("delayed:last_enqueued_at");
    }

    /// Hash of the last decided tick of each of these schedules, ours.
    public String cron() {
        return "mw:{" + namespace + "}:cron";
    }

    /// String that only resque-scheduler's master holds. It puts the namespace before it twice.
    ///
    /// @param prefix its `RESQUE_SCHEDULER_MASTER_LOCK_PREFIX`, "" when there is none
    public String masterLock(String prefix) {
        return key(key((prefix.isEmpty() ? "" : prefix + ":") + "resque_scheduler_master_lock"));
    }

    private String key(String name) {
        return namespace + ":" + name;
    }
}
