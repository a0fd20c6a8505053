package dev.mawashi.server;

import com.google.errorprone.annotations.FormatMethod;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Writes events to the log, one line each: what happened and, where there is one, the remedy.
final class EventLog implements Listener {
    private static final System.Logger LOG = System.getLogger("dev.mawashi.event");
    private static final String AGAIN = "%s: %s; this is tried again every %d s";

    @Override
    public void on(Event event) {
        switch (event) {
            case Event.OfJob e -> aboutJob(e);
            case Event.OfPayloads e -> warn(e, "%s", e.words());
            case Event.OfClaiming e -> claiming(e);
            case Event.NoSuchRunner e -> stranger(e);
            case Event.QueueRefused e -> refused(e);
            case Event.SchedulesRefused e ->
                    log(e, Level.ERROR, AGAIN, e.what(), e.reason(), e.againSeconds());
            case Event.OfRecovering e -> recovering(e);
            case Event.SetUnreadable e -> unreadable(e);
            case Event.OfSettling e -> settling(e);
            case Event.DeadSetTrimmed e -> warn(e, "%d old jobs left the full dead set", e.count());
            case Event.OwnerFenced e -> fenced(e);
            case Event.RedisWentBack e -> wentBack(e);
            case Event.LeasesRefused e -> refusedLeases(e);
            case Event.ClaimsDropped e -> dropped(e);
            case Event.JobsRecovered e -> recovered(e);
            case Event.JobsSuspected e -> suspected(e);
            case Event.PrefetchReturned e -> returned(e);
            case Event.ChildLost e -> warn(e, "pid=%d jobs=%d %s", e.pid(), e.jobs(), e.how());
            case Event.ChildRecycled e -> replaced(e);
            case Event.BrokerDown e -> warn(e, "waiting for Redis: %s", e.message());
            case Event.BrokerUp e -> log(e, Level.INFO, "Redis answers again");
            case Event.StopRequeued e -> requeued(e);
            case Event.QueuesPaused e -> log(e, Level.INFO, "paused queues: %s", e.sorted());
            case Event.CancelsUnreadable e -> unreadable(e);
            case Event.QueuesServed e -> log(e, Level.INFO, "Resque's queues: %s", e.change());
            case Event.PausesUnreadable e -> pausesUnreadable(e);
            case Event.QuestionsRefused e -> refused(e);
            case Event.OfAlarm e -> alarm(e);
            case Event.Defect e -> LOG.log(Level.ERROR, "defect in " + e.where(), e.cause());
        }
    }

    private static void aboutJob(Event.OfJob event) {
        switch (event) {
            case Event.JobFailed e -> failed(e);
            case Event.JobBuried e -> buried(e);
            case Event.JobListedAsFailed e -> listed(e);
            case Event.JobDiscarded e -> discarded(e);
            case Event.JobHeld e -> warn(e, "job is held: %s %s", e.reason(), name(e.job()));
            case Event.JobCancelled e -> cancelled(e);
            case Event.JobExpired e -> expired(e);
            case Event.SlotStuck e -> stuck(e);
            case Event.SuspectGivenUp e -> givenUp(e);
            case Event.SuspectRuns e -> runsAlone(e);
            case Event.FailureLost e -> settling(e);
        }
    }

    private static void recovering(Event.OfRecovering event) {
        boolean isOver = event instanceof Event.QueueRecoverable;
        log(event, isOver ? Level.INFO : Level.WARNING, "%s", event.words());
    }

    private static void buried(Event.JobBuried event) {
        warn(event, "job went to the dead set: %s %s", event.reason(), name(event.job()));
    }

    private static void discarded(Event.JobDiscarded event) {
        warn(event, "job was discarded: %s %s", event.reason(), name(event.job()));
    }

    private static void cancelled(Event.JobCancelled event) {
        warn(event, "job was cancelled, it is gone: %s", name(event.job()));
    }

    private static void expired(Event.JobExpired event) {
        log(event, Level.INFO, "job had expired, it is gone: %s", name(event.job()));
    }

    private static void fenced(Event.OwnerFenced event) {
        warn(event, "the lease had lapsed and was taken over: going on as %s", event.newOwner());
    }

    private static void dropped(Event.ClaimsDropped event) {
        warn(event, "%d claimed jobs were left to those who recovered them", event.count());
    }

    private static void requeued(Event.StopRequeued event) {
        warn(event, "%d jobs did not end in time and are back at the head", event.count());
    }

    private static void wentBack(Event.RedisWentBack event) {
        warn(
                event,
                "Redis went back in time (a restart, a failover or a flush): %d jobs that had ended"
                        + " here were settled again, %d that are not here went back to their queue,"
                        + " %d that are here were put in flight again; what others wrote meanwhile"
                        + " may be lost, see docs/guide/redis.md",
                event.settledAgain(),
                event.givenBack(),
                event.heldAgain());
    }

    private static void refusedLeases(Event.LeasesRefused event) {
        log(
                event,
                Level.ERROR,
                "nothing can be claimed from the queues %s, since a key of ours is not what it should"
                        + " be: look at mw:{queue:<name>}:leases with redis-cli TYPE and delete it: %s",
                new TreeSet<>(event.reasons().keySet()),
                event.reasons().values().iterator().next());
    }

    private static void unreadable(Event.CancelsUnreadable event) {
        warn(
                event,
                "no job can be cancelled: the sorted set %s cannot be read: %s",
                event.key(),
                event.message());
    }

    private static void replaced(Event.ChildRecycled event) {
        log(event, Level.INFO, "child %d is replaced: %s", event.pid(), event.why());
    }

    private static void refused(Event.QuestionsRefused event) {
        warn(
                event,
                "no page or command can look into this process: its questions, the list %s, cannot"
                        + " be read: %s",
                event.key(),
                event.message());
    }

    private static void listed(Event.JobListedAsFailed event) {
        warn(
                event,
                "job failed: %s: %s %s",
                event.errorClass(),
                firstLine(event.message()),
                name(event.job()));
    }

    private static void stuck(Event.SlotStuck event) {
        log(
                event,
                Level.ERROR,
                "%s is stuck in a job that did not end when asked to, %s; stuck now: %d; see what"
                        + " it does with TTIN: %s",
                event.thread(),
                event.isReplaced() ? "another takes its place" : "fewer jobs run at once",
                event.stuck(),
                name(event.job()));
    }

    private static void stranger(Event.NoSuchRunner event) {
        warn(
                event,
                "a job of queue \"%s\" names the runner \"%s\", which has no entry under runners in"
                        + " config/mawashi.yml: it runs like the rest of its queue",
                event.queue(),
                event.runner());
    }

    private static void claiming(Event.OfClaiming event) {
        boolean isOver = event instanceof Event.QueuesUsable;
        log(event, isOver ? Level.INFO : Level.ERROR, "%s", event.words());
    }

    private static void refused(Event.QueueRefused event) {
        log(
                event,
                Level.ERROR,
                "due jobs cannot be moved to queue \"%s\": %s; they stay where they are and are tried"
                        + " again every %d s",
                event.queue(),
                event.reason(),
                event.againSeconds());
    }

    private static void settling(Event.OfSettling event) {
        switch (event) {
            case Event.SettledLate e ->
                    warn(
                            e,
                            "%d jobs run twice: others recovered them before they ended",
                            e.count());
            case Event.FailureLost e ->
                    warn(
                            e,
                            "a failed job was not put where failed jobs go: it is not claimed any"
                                    + " more, since others have it or Redis has lost it: %s",
                            name(e.job()));
            case Event.SettlementRefused e -> refused(e);
            case Event.RefusedSettled e ->
                    log(
                            e,
                            Level.INFO,
                            "Redis has taken the %d settlements that it had refused: %s queue=%s",
                            e.count(),
                            e.what(),
                            e.queue());
            case Event.SettlementsFull e ->
                    log(
                            e,
                            Level.ERROR,
                            "no more jobs are claimed until Redis takes some of the %d settlements"
                                    + " that it refuses",
                            e.count());
            case Event.LeftInFlight e ->
                    warn(e, "%d jobs could not be settled: they run again", e.count());
        }
    }

    private static void refused(Event.SettlementRefused event) {
        log(
                event,
                Level.ERROR,
                "Redis refuses to settle jobs: %s queue=%s: %s; they stay claimed and are tried"
                        + " again, all others go on; look at the key with redis-cli TYPE and at the"
                        + " user with redis-cli ACL WHOAMI",
                event.what(),
                event.queue(),
                event.reason());
    }

    private static void unreadable(Event.SetUnreadable event) {
        log(
                event,
                Level.ERROR,
                "the set %s cannot be read, so nothing that is due in it is moved: %s",
                event.set(),
                event.reason());
    }

    private static void recovered(Event.JobsRecovered event) {
        warn(
                event,
                "recovered %d jobs of dead processes queue=%s owners=%s %s",
                event.count(),
                event.queue(),
                event.owners(),
                names(event.count(), event.jobs()));
    }

    /// The names of jobs, for a line; of many jobs only the first ones.
    private static String names(int count, List<Event.JobName> jobs) {
        String some =
                jobs.stream()
                        .map(job -> (job.jobClass() + " " + job.jid()).strip())
                        .collect(Collectors.joining(", "));
        return "jobs=[" + some + (jobs.size() < count ? ", ...]" : "]");
    }

    private static void suspected(Event.JobsSuspected event) {
        warn(
                event,
                "%d jobs were in hand when a process died again and will be run alone queue=%s %s",
                event.count(),
                event.queue(),
                names(event.count(), event.jobs()));
    }

    private static void runsAlone(Event.SuspectRuns event) {
        log(
                event,
                Level.INFO,
                "job runs alone, its process died %d times while it did: %s",
                event.crashes(),
                name(event.job()));
    }

    private static void givenUp(Event.SuspectGivenUp event) {
        warn(
                event,
                "job is given up, its process died each of the %d times that it ran alone: %s",
                event.crashes(),
                name(event.job()));
    }

    private static void returned(Event.PrefetchReturned event) {
        log(
                event,
                Level.DEBUG,
                "%d jobs found no slot and went back to their queue",
                event.count());
    }

    private static void alarm(Event.OfAlarm event) {
        boolean isOver = event instanceof Event.AlarmOver;
        log(event, isOver ? Level.INFO : Level.WARNING, "%s", event.words());
    }

    private static void pausesUnreadable(Event.PausesUnreadable event) {
        warn(
                event,
                "no queue can be paused, all are served: the set paused cannot be read: %s",
                event.message());
    }

    /// At DEBUG: the app's error handlers have run, and Sidekiq's own has logged the error.
    private static void failed(Event.JobFailed failed) {
        String next =
                failed.retrySeconds().isPresent()
                        ? "retry in " + failed.retrySeconds().getAsLong() + " s"
                        : "no retry";
        log(
                failed,
                Level.DEBUG,
                "job failed, %s: %s: %s %s",
                next,
                failed.errorClass(),
                firstLine(failed.message()),
                name(failed.job()));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    private static String name(Event.JobName job) {
        return "class=%s jid=%s queue=%s".formatted(job.jobClass(), job.jid(), job.queue());
    }

    @FormatMethod
    private static void warn(Event event, String form, Object... values) {
        log(event, Level.WARNING, form, values);
    }

    @FormatMethod
    private static void log(Event event, Level level, String form, Object... values) {
        if (LOG.isLoggable(level)) {
            // The event goes along, for a formatter that separates its fields.
            LOG.log(level, "{0}", String.format(Locale.ROOT, form, values), event);
        }
    }
}
