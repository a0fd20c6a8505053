package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Redis key names. The public ones are Sidekiq's, byte for byte (docs/formats/sidekiq.md, "Keys");
/// ours begin with `mw:` and carry the queue's key as hash tag, so that in a cluster they live in
/// its slot. Those of Resque are `ResqueKeys`.
public final class Keys {
    public static final String QUEUES = "queues";
    public static final String SCHEDULE = "schedule";
    public static final String RETRY = "retry";
    public static final String DEAD = "dead";
    public static final String PROCESSES = "processes";

    /// Set of paused queues' names, Sidekiq Pro's.
    public static final String PAUSED = "paused";

    /// There while a process has the turn to look at the schedule.
    public static final String SCHEDULER = "mw:scheduler";

    /// There for a moment after a process has left its turn to others.
    public static final String SCHEDULER_LEFT = "mw:scheduler:left";

    /// See `QueueLayout.cancelled`; of Sidekiq's jobs, their jids.
    public static final String CANCELLED = "mw:cancelled";

    /// There while somebody restarts the processes of the fleet one after the other.
    public static final String ROLLING = "mw:rolling";

    /// There while somebody migrates the jobs of this Redis to another.
    public static final String MIGRATING = "mw:migrating";

    /// List of the jobs that are on their way to another Redis; see take_batch.lua.
    public static final String BATCH = "mw:batch";

    /// List of what operators have changed, the newest first.
    public static final String AUDIT = "mw:audit";

    /// Hash of the locks of jobs that must not be enqueued twice; see `JobLock`.
    public static final String LOCKS = "mw:locks";

    /// Sorted sets of the digests of locks of the gem sidekiq-unique-jobs 7.1 to 8: of those that
    /// end with their jobs, and with their time (`lock.lua` and `constants.rb` in its sources).
    public static final List<String> GEM_LOCKS =
            List.of("uniquejobs:digests", "uniquejobs:expiring_digests");

    /// Behind a digest of these: hash of the JIDs that hold the lock.
    public static final String LOCK_HOLDERS = ":LOCKED";

    /// The same: what the gem's `lock_info` says of the lock.
    public static final String LOCK_FACTS = ":INFO";

    /// Sorted set of what is hidden of jobs where people look at them; see `Redaction`.
    public static final String REDACT = "mw:redact";

    /// Hash of the last decided tick of each schedule.
    public static final String CRON = "mw:cron";

    /// Set of paused schedules.
    public static final String CRON_PAUSED = "mw:cron:paused";

    /// Sorted set of the digests of config files' schedules.
    public static final String CRON_FILES = "mw:cron:files";

    /// Sets of the schedules of sidekiq-cron: of its versions 1.x, and of 2.x in the usual
    /// namespace.
    public static final List<String> GEM_CRON_SETS = List.of("cron_jobs", "cron_jobs:default");

    /// Set of the names of more such sets.
    public static final String CRON_GEM = "mw:cron:gem";

    /// List of requests to enqueue the job of a schedule of sidekiq-cron.
    public static final String CRON_ASKED = "mw:cron:asked";

    /// Hash of the schedules of sidekiq-scheduler, where the app has set no prefix.
    public static final String GEM_SCHEDULES = "schedules";

    /// Hash of such hashes, each with the zone of lines that name none.
    public static final String CRON_SCHEDULER = "mw:cron:scheduler";

    /// List of requests to enqueue the job of a schedule of sidekiq-scheduler.
    public static final String CRON_ASKED_SCHEDULER = "mw:cron:asked:scheduler";

    /// Set of the Resque namespaces that have schedules of resque-scheduler.
    public static final String CRON_RESQUE = "mw:cron:resque";

    public static final String STAT_PROCESSED = "stat:processed";
    public static final String STAT_FAILED = "stat:failed";

    /// Set of the queues where something of ours may lie: where recovery looks.
    public static final String SERVED_QUEUES = "mw:queues";

    private static final byte[] ITERATION = bytes("it-");

    private Keys() {}

    /// List of a queue's payloads; new ones at the left, the next to run at the right.
    public static String queue(String queue) {
        return QueueLayout.SIDEKIQ.queue(queue);
    }

    /// See `QueueLayout.arrivals`.
    public static String arrivals(String queue, String owner) {
        return QueueLayout.SIDEKIQ.arrivals(queue, owner);
    }

    /// See `QueueLayout.inflight`.
    public static String inflight(String queue, String owner) {
        return QueueLayout.SIDEKIQ.inflight(queue, owner);
    }

    /// See `QueueLayout.leases`.
    public static String leases(String queue) {
        return QueueLayout.SIDEKIQ.leases(queue);
    }

    /// See `QueueLayout.suspects`.
    public static String suspects(String queue) {
        return QueueLayout.SIDEKIQ.suspects(queue);
    }

    /// Hash of a process's record.
    public static String process(String identity) {
        return identity;
    }

    /// Hash of a process's running jobs, read from Sidekiq 6.4.2 on.
    public static String work(String identity) {
        return identity + ":work";
    }

    /// The same hash under the name that Sidekiq up to 6.4.1 reads.
    public static String workers(String identity) {
        return identity + ":workers";
    }

    /// List of signals that Sidekiq's page or API sends to a process.
    public static String signals(String identity) {
        return identity + "-signals";
    }

    /// Number of the last batch of metrics that a process has added; see metrics.lua.
    public static String lastMetrics(String identity) {
        return "mw:metrics:" + identity;
    }

    /// The field of a process's record that only ours have; a process that has it takes questions.
    public static final String OWN_RECORD = "mawashi";

    /// List of the questions that a process has not taken yet; see ask.lua.
    public static String questions(String identity) {
        return "mw:questions:" + identity;
    }

    /// List with the answer to one question.
    ///
    /// @param id of the question
    public static String answer(String id) {
        return "mw:answer:" + id;
    }

    /// What an operator's act has taken away or moved, while it can be undone.
    ///
    /// @param act its id
    public static String undo(String act) {
        return "mw:undo:" + act;
    }

    /// The jobs of a queue or set that an operator clears, while their locks are freed.
    ///
    /// @param key of the queue or set
    public static String cleared(String key) {
        return "mw:cleared:" + key;
    }

    /// Shows that a batch of a migration has come to this Redis.
    ///
    /// @param batch its id
    public static String added(String batch) {
        return "mw:added:" + batch;
    }

    /// What a request to enqueue with an idempotency key came to.
    ///
    /// @param digest of that key
    public static String idempotency(String digest) {
        return "mw:idempotency:" + digest;
    }

    /// The schedules of a config file.
    public static String cronFile(String digest) {
        return "mw:cron:file:" + digest;
    }

    /// There while a process has the turn to fire the schedules of a config file.
    public static String cronTurn(String digest) {
        return "mw:cron:turn:" + digest;
    }

    /// List of the records of a schedule's last runs.
    public static String cronRuns(String schedule) {
        return "mw:cron:runs:" + schedule;
    }

    /// List of the last runs of a schedule of sidekiq-cron, by its own key.
    public static String gemCronRuns(String schedule) {
        return schedule + ":jid_history";
    }

    /// What sidekiq-scheduler keeps beside a hash of its schedules.
    ///
    /// @param schedules that hash
    public static String gemScheduler(String schedules, String what) {
        String prefix = schedules.substring(0, schedules.length() - GEM_SCHEDULES.length());
        return prefix + "sidekiq-scheduler:" + what;
    }

    /// The schedules of resque-scheduler that servers have in a Resque namespace.
    public static String cronResque(String namespace) {
        return CRON_RESQUE + ":" + namespace;
    }

    /// List of requests to enqueue the job of one of these.
    public static String cronResqueAsked(String namespace) {
        return "mw:{" + namespace + "}:cron:asked";
    }

    /// List with the answer to such a request.
    public static String cronAnswer(String id) {
        return "mw:cron:answer:" + id;
    }

    /// A counter of one UTC day, such as `stat:processed:2026-11-21`.
    public static String daily(String counter, String day) {
        return counter + ":" + day;
    }

    /// Hash of how far an iterable job has come.
    ///
    /// @param jid of the job, whatever bytes it has
    public static byte[] iteration(byte[] jid) {
        byte[] key = Arrays.copyOf(ITERATION, ITERATION.length + jid.length);
        System.arraycopy(jid, 0, key, ITERATION.length, jid.length);
        return key;
    }

    public static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
