package dev.mawashi.server;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.lang.System.Logger.Level;

/// Writes events to the log: one line each, that says what happened and, where there is one, the
/// remedy.
final class EventLog implements Listener {
    private static final System.Logger LOG = System.getLogger("dev.mawashi.event");

    @Override
    public void on(Event event) {
        switch (event) {
            case Event.JobFailed failed -> failed(failed);
            case Event.JobBuried buried ->
                    log(
                            Level.WARNING,
                            "job went to the dead set: %s %s",
                            buried.reason(),
                            name(buried.job()));
            case Event.JobDiscarded discarded ->
                    log(
                            Level.WARNING,
                            "job was discarded: %s %s",
                            discarded.reason(),
                            name(discarded.job()));
            case Event.PayloadsTooLarge large ->
                    log(
                            Level.WARNING,
                            "%d payloads over %,d bytes went to the dead set unread",
                            large.count(),
                            large.bytesMax());
            case Event.QueuesUnusable unusable ->
                    log(
                            Level.ERROR,
                            "%d of the queues %s cannot be read: the key queue:<name> is not a list,"
                                    + " look at it with redis-cli TYPE",
                            unusable.count(),
                            unusable.queues());
            case Event.SettledLate late ->
                    log(
                            Level.WARNING,
                            "%d jobs ended after another process had recovered them, so they run twice",
                            late.count());
            case Event.DeadSetTrimmed trimmed ->
                    log(Level.INFO, "%d old jobs left the full dead set", trimmed.count());
            case Event.OwnerFenced fenced ->
                    log(
                            Level.WARNING,
                            "the lease had lapsed and was taken over: going on as %s",
                            fenced.newOwner());
            case Event.ClaimsDropped dropped ->
                    log(
                            Level.INFO,
                            "%d claimed jobs were left to the process that recovered them",
                            dropped.count());
            case Event.JobsRecovered recovered ->
                    log(
                            Level.WARNING,
                            "recovered %d jobs of dead processes queue=%s owners=%s",
                            recovered.count(),
                            recovered.queue(),
                            recovered.owners());
            case Event.PrefetchReturned returned ->
                    log(
                            Level.DEBUG,
                            "%d jobs found no slot and went back to their queue",
                            returned.count());
            case Event.BrokerDown down ->
                    log(Level.WARNING, "waiting for Redis: %s", down.message());
            case Event.BrokerUp _ -> log(Level.INFO, "Redis answers again");
            case Event.StopRequeued requeued ->
                    log(
                            Level.WARNING,
                            "%d jobs did not end in time and went back to the head of their queue",
                            requeued.count());
            case Event.Defect defect ->
                    LOG.log(Level.ERROR, "defect in " + defect.where(), defect.cause());
        }
    }

    private static void failed(Event.JobFailed failed) {
        String next =
                failed.retrySeconds().isPresent()
                        ? "retry in " + failed.retrySeconds().getAsLong() + " s"
                        : "no retry";
        String message = failed.message().lines().findFirst().orElse("");
        log(
                Level.WARNING,
                "job failed, %s: %s: %s %s",
                next,
                failed.errorClass(),
                message,
                name(failed.job()));
    }

    private static String name(Event.JobName job) {
        return "class=%s jid=%s queue=%s".formatted(job.jobClass(), job.jid(), job.queue());
    }

    private static void log(Level level, String form, Object... values) {
        if (LOG.isLoggable(level)) {
            LOG.log(level, form.formatted(values));
        }
    }
}
