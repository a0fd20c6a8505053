package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.JobLock;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Settling in Redis: all acks of a queue are one `HDEL`, but for those of jobs with a lock;
/// requeues go many to a script, the rest are one script each, and everything goes in one round
/// trip. The token makes each settlement idempotent: a job moves only if the in-flight store still
/// has its token.
final class RedisSettling implements Settling {
    private static final Script RETRY = Script.beside(RedisSettling.class, "retry.lua");
    private static final Script BURY = Script.beside(RedisSettling.class, "bury.lua");
    private static final Script DONE = Script.beside(RedisSettling.class, "done.lua");
    private static final Script FAIL = Script.beside(RedisSettling.class, "fail.lua");
    private static final byte[] HDEL = ascii("HDEL");

    /// Most jobs and bytes that one script puts back. So much takes 2 ms; one job is put back
    /// whatever its size.
    private static final int REQUEUED_MAX = 1_000;

    private static final int REQUEUED_BYTES_MAX = 512 << 10;
    private static final byte[] RETRY_KEY = Keys.bytes(Keys.RETRY);
    private static final byte[] LOCKS_KEY = Keys.bytes(Keys.LOCKS);
    private static final byte[] DEAD_KEY = Keys.bytes(Keys.DEAD);

    private final RedisConnection connection;
    private final DeadLimits limits;
    private final Holdings holdings;
    private final ArrivedJobs arrived;
    private final QueueLayout layout;
    private final Script requeue;

    /// The origin of leases; acks and requeues of one origin go together.
    private record Origin(String queue, String owner) {
        private boolean isOf(Lease lease) {
            return queue.equals(lease.queue()) && owner.equals(lease.owner());
        }
    }

    /// Most settlements have the origin of the one before, which then costs no lookup.
    private static final class ByOrigin {
        private final Map<Origin, List<Settled>> lists = new LinkedHashMap<>();
        private Origin last = new Origin("", "");
        private List<Settled> ofLast = List.of();

        private void add(Settled one) {
            Lease lease = one.lease();
            if (!last.isOf(lease)) {
                last = new Origin(lease.queue(), lease.owner());
                ofLast = lists.computeIfAbsent(last, _ -> new ArrayList<>());
            }
            ofLast.add(one);
        }
    }

    /// Settlements that were queued as commands of their own, in their order, and those that go
    /// together.
    ///
    /// @param commands what each of them settles
    private record Sorted(List<List<Settled>> commands, ByOrigin acks, ByOrigin requeues) {}

    RedisSettling(
            RedisConnection connection,
            DeadLimits limits,
            Holdings holdings,
            ArrivalLists arrivals,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        arrived = new ArrivedJobs(connection, holdings, arrivals, layout);
        this.layout = layout;
        requeue = Sides.of(layout).script("requeue.lua");
        this.limits = limits;
    }

    @Override
    public SettleReport settle(List<Settled> settled) {
        boolean isKnown = false;
        holdings.sending(settled);
        try {
            RedisFailure refusal = arrived.putInFlight(settled);
            SettleReport report =
                    refusal == null ? settleAll(settled) : refusedAll(settled, refusal);
            isKnown = true;
            return report;
        } catch (RuntimeException failure) {
            isKnown =
                    failure instanceof RedisFailure known
                            && known.kind() != RedisFailure.Kind.UNKNOWN;
            // Commands that were queued and not sent must not go with the next settlements.
            connection.close();
            throw failure;
        } finally {
            holdings.sent(settled, isKnown);
        }
    }

    private static SettleReport refusedAll(List<Settled> settled, RedisFailure refusal) {
        return new SettleReport(
                0,
                List.of(),
                0,
                settled.stream().map(one -> new SettleReport.Refused(one, refusal)).toList());
    }

    private SettleReport settleAll(List<Settled> settled) {
        Sorted sorted = new Sorted(new ArrayList<>(), new ByOrigin(), new ByOrigin());
        List<SettleReport.Refused> refused = new ArrayList<>();
        for (Settled one : settled) {
            RedisFailure reason = arrived.waitsFor(one.lease());
            if (reason == null) {
                sort(one, sorted);
            } else {
                refused.add(new SettleReport.Refused(one, reason));
            }
        }
        List<List<Settled>> commands = sorted.commands;
        sorted.acks.lists.forEach(this::queueAcks);
        commands.addAll(sorted.acks.lists.values());
        sorted.requeues.lists.forEach(
                (origin, some) -> commands.addAll(queueRequeues(origin, some)));
        return report(connection.flush(), commands, refused);
    }

    private void sort(Settled one, Sorted sorted) {
        Lease lease = one.lease();
        switch (one.settlement()) {
            case Settlement.Arrived _ -> {}
            case Settlement.Requeue _ -> sorted.requeues.add(one);
            case Settlement.Ack _ -> {
                JobLock lock = JobLock.of(lease.payload());
                if (lock == null) {
                    sorted.acks.add(one);
                } else {
                    queueDone(lease, lock);
                    sorted.commands.add(List.of(one));
                }
            }
            case Settlement.Retry retry -> {
                queueRetry(lease, retry);
                sorted.commands.add(List.of(one));
            }
            case Settlement.Bury bury -> {
                queueBury(lease, bury);
                sorted.commands.add(List.of(one));
            }
            case Settlement.Fail fail -> {
                queueFail(lease, fail);
                sorted.commands.add(List.of(one));
            }
        }
    }

    private byte[] inflight(String queue, String owner) {
        return Keys.bytes(layout.inflight(queue, owner));
    }

    private void queueDone(Lease lease, JobLock lock) {
        connection.queueEval(
                DONE,
                List.of(inflight(lease.queue(), lease.owner()), LOCKS_KEY),
                List.of(token(lease), lock.digest(), lock.owner()));
    }

    private void queueRetry(Lease lease, Settlement.Retry retry) {
        String delay = String.format(Locale.ROOT, "%.3f", retry.delay().toMillis() / 1_000.0);
        connection.queueEval(
                RETRY,
                List.of(inflight(lease.queue(), lease.owner()), RETRY_KEY),
                List.of(token(lease), ascii(delay), retry.payload()));
    }

    private void queueBury(Lease lease, Settlement.Bury bury) {
        List<byte[]> keys =
                new ArrayList<>(List.of(inflight(lease.queue(), lease.owner()), DEAD_KEY));
        List<byte[]> args = new ArrayList<>(List.of(token(lease), bury.payload()));
        args.addAll(limits.args());
        JobLock lock = JobLock.of(bury.payload());
        if (lock != null) {
            keys.add(LOCKS_KEY);
            args.addAll(List.of(lock.digest(), lock.owner()));
        }
        connection.queueEval(BURY, keys, args);
    }

    private void queueFail(Lease lease, Settlement.Fail fail) {
        FailurePlace place = fail.place();
        connection.queueEval(
                FAIL,
                List.of(
                        inflight(lease.queue(), lease.owner()),
                        Keys.bytes(place.list(lease.queue())),
                        Keys.bytes(place.keys().failedQueues()),
                        Keys.bytes(place.keys().statFailed()),
                        Keys.bytes(place.keys().statFailed(place.worker()))),
                List.of(token(lease), fail.record(), Keys.bytes(place.ownName(lease.queue()))));
    }

    private void queueAcks(Origin origin, List<Settled> acks) {
        byte[][] command = new byte[2 + acks.size()][];
        command[0] = HDEL;
        command[1] = inflight(origin.queue(), origin.owner());
        for (int i = 0; i < acks.size(); i++) {
            command[2 + i] = token(acks.get(i).lease());
        }
        connection.queue(command);
    }

    /// The newest first, some to a script.
    ///
    /// @return what each script settles
    private List<List<Settled>> queueRequeues(Origin origin, List<Settled> requeues) {
        List<Settled> newestFirst = new ArrayList<>(requeues);
        newestFirst.sort(Comparator.comparingLong((Settled one) -> one.lease().token()).reversed());
        List<List<Settled>> parts = new ArrayList<>();
        long bytes = 0;
        for (Settled one : newestFirst) {
            int size = one.lease().payload().length;
            // Nobody here knows the size of a job that this process never had.
            bytes += size == 0 ? REQUEUED_BYTES_MAX : size;
            if (parts.isEmpty()
                    || bytes > REQUEUED_BYTES_MAX
                    || parts.getLast().size() == REQUEUED_MAX) {
                parts.add(new ArrayList<>());
                bytes = size == 0 ? REQUEUED_BYTES_MAX : size;
            }
            parts.getLast().add(one);
        }
        for (List<Settled> part : parts) {
            connection.queueEval(
                    requeue,
                    List.of(
                            inflight(origin.queue(), origin.owner()),
                            Keys.bytes(layout.queue(origin.queue()))),
                    part.stream().map(one -> token(one.lease())).toList());
        }
        return parts;
    }

    private static byte[] token(Lease lease) {
        return ascii(Long.toString(lease.token()));
    }

    /// @param refused what was not sent; what Redis refuses is added
    private SettleReport report(
            List<@Nullable Object> replies,
            List<List<Settled>> commands,
            List<SettleReport.Refused> refused) {
        int late = 0;
        int trimmed = 0;
        List<Settled> lost = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            int wanted = commands.get(i).size();
            Object reply = replies.get(i);
            if (!(reply instanceof RedisFailure)) {
                holdings.settled(commands.get(i));
            }
            int missing = 0;
            switch (reply) {
                case RedisFailure refusal ->
                        commands.get(i)
                                .forEach(
                                        one -> refused.add(new SettleReport.Refused(one, refusal)));
                case Long done -> missing = wanted - done.intValue();
                case List<?> buried -> {
                    missing = wanted - ((Long) buried.get(0)).intValue();
                    trimmed += ((Long) buried.get(1)).intValue();
                }
                case null, default ->
                        throw new IllegalStateException("settling was answered " + reply);
            }
            Settlement settlement = commands.get(i).getFirst().settlement();
            // A job that was to go back had not ended here: that others have it is no second run.
            late += settlement instanceof Settlement.Requeue ? 0 : missing;
            if (missing > 0 && isOfFailure(settlement)) {
                lost.addAll(commands.get(i));
            }
        }
        return new SettleReport(late, lost, trimmed, refused);
    }

    private static boolean isOfFailure(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ -> false;
            case Settlement.Retry _, Settlement.Bury _, Settlement.Fail _ -> true;
        };
    }

    @Override
    public void close() {
        connection.close();
    }
}
