package dev.mawashi.operate;

import dev.mawashi.figures.Inspector;
import dev.mawashi.figures.Stats;
import dev.mawashi.inspect.InFlightReader;
import dev.mawashi.inspect.JobQuery;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.CancelMarks;
import dev.mawashi.tables.Keeping;
import dev.mawashi.tables.QueueEditing;
import dev.mawashi.wire.JobSet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Cancels a job wherever it is: deletes it where it waits, and has it ended where it runs. One
/// thread's.
///
/// The job is marked before anything is deleted: should it be on its way from one place to another,
/// the process that claims it ends it. The places are looked at in the order in which jobs go
/// through them. The mark stays while a process may have the job, also when this process dies.
public final class Canceller {
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    /// Longest wait between a process's settlement and its taking the mark out.
    private static final Duration UNMARK_PATIENCE = Duration.ofSeconds(2);

    private final CancelMarks marks;
    private final InFlightReader inFlight;
    private final RedisConnection connection;
    private final InstantSource clock;
    private final Inspector inspector;
    private final QueueEditing queueEditing;

    /// @param connection for all but the marks and what is in flight; whoever made it closes it
    public Canceller(
            CancelMarks marks,
            InFlightReader inFlight,
            RedisConnection connection,
            InstantSource clock) {
        this.marks = marks;
        this.inFlight = inFlight;
        this.connection = connection;
        this.clock = clock;
        inspector = new Inspector(connection, clock);
        queueEditing = new QueueEditing(connection);
    }

    /// @param patience how long a process that has the job may take to end it
    /// @param progress sees how far the search is
    public Cancellation cancel(String jid, Duration patience, Progress progress) {
        // Read before the mark is set: after that the job's process may end it before we look.
        List<InFlightReader.Held> before = inFlight.held(jid);
        marks.mark(jid);
        List<String> places = new ArrayList<>(delete(jid, progress));
        List<InFlightReader.Held> held = inFlight.held(jid);
        if (held.isEmpty() && places.isEmpty()) {
            // It may have moved behind our back.
            places.addAll(delete(jid, progress));
            held = inFlight.held(jid);
        }
        if (held.isEmpty() && places.isEmpty()) {
            held = before;
        }
        if (!held.isEmpty()) {
            return awaitEnd(jid, held, patience, progress);
        }
        if (!places.isEmpty()) {
            marks.unmark(List.of(jid));
            return new Cancellation(Cancellation.State.DELETED, places);
        }
        boolean isCaught = !marks.isMarked(jid);
        marks.unmark(List.of(jid));
        return new Cancellation(
                isCaught ? Cancellation.State.ENDED : Cancellation.State.NOWHERE, List.of());
    }

    /// Cancels a job that runs, without looking for it where jobs wait: should it come there, its
    /// mark has it ended when it is claimed.
    ///
    /// @param patience how long its process may take to end it
    /// @return empty when it has ended by itself, or is back in a queue or set
    public static Optional<Cancellation> cancelHeld(
            CancelMarks marks, InFlightReader inFlight, String jid, Duration patience) {
        List<InFlightReader.Held> held = inFlight.held(jid);
        if (held.isEmpty()) {
            return Optional.empty();
        }
        marks.mark(jid);
        List<String> owners = held.stream().map(InFlightReader.Held::process).distinct().toList();
        if (!await(patience, () -> held.stream().noneMatch(inFlight::isHeld))) {
            return Optional.of(new Cancellation(Cancellation.State.TOLD, owners));
        }
        return await(UNMARK_PATIENCE, () -> !marks.isMarked(jid))
                ? Optional.of(new Cancellation(Cancellation.State.ENDED, owners))
                : Optional.empty();
    }

    private static boolean await(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /// Deletes it where it waits.
    ///
    /// @return from where
    private List<String> delete(String jid, Progress progress) {
        JobQuery query = new JobQuery(Set.of(jid), "", "", "", "");
        List<String> places = new ArrayList<>();
        for (JobSet set : List.of(JobSet.SCHEDULE, JobSet.RETRY)) {
            if (delete(new SetOperator(set, connection, clock), query, progress)) {
                places.add(set.key());
            }
        }
        for (Stats.QueueStats queue : inspector.stats().queues()) {
            if (queue.isList()
                    && delete(new QueueOperator(queue.name(), connection), query, progress)) {
                places.add("queue " + queue.name());
            }
        }
        for (InFlightReader.Aside aside : inFlight.aside(jid)) {
            if (queueEditing.deleteAside(aside.queue(), aside.payload()) > 0) {
                places.add("queue " + aside.queue());
            }
        }
        return places;
    }

    private static boolean delete(Operator operator, JobQuery query, Progress progress) {
        Change delete = Change.of(Act.DELETE);
        return operator.perform(delete, query, Keeping.nothing(), progress).touched() > 0;
    }

    private Cancellation awaitEnd(
            String jid, List<InFlightReader.Held> held, Duration patience, Progress progress) {
        List<String> owners = held.stream().map(InFlightReader.Held::process).distinct().toList();
        if (!await(patience, () -> held.stream().noneMatch(inFlight::isHeld))) {
            return new Cancellation(Cancellation.State.TOLD, owners);
        }
        if (!await(UNMARK_PATIENCE, () -> !marks.isMarked(jid))) {
            return afterItsOwnEnd(jid, owners, progress);
        }
        return new Cancellation(Cancellation.State.ENDED, owners);
    }

    /// Its process did not end it: the job was faster, or is back in a queue or set.
    private Cancellation afterItsOwnEnd(String jid, List<String> owners, Progress progress) {
        List<String> places = delete(jid, progress);
        if (places.isEmpty() && !inFlight.held(jid).isEmpty()) {
            return new Cancellation(Cancellation.State.TOLD, owners);
        }
        marks.unmark(List.of(jid));
        return places.isEmpty()
                ? new Cancellation(Cancellation.State.TOO_LATE, owners)
                : new Cancellation(Cancellation.State.DELETED, places);
    }
}
