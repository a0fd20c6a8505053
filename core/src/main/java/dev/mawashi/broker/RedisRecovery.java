package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends leases and gives back what their owners had in flight, in steps that each hold Redis for a
/// moment only.
///
/// The newest jobs go first, to the head of the queue, so that at the end the oldest is the next to
/// run. Each step is one script, and the lease goes with the last: when this process dies between
/// two of them, or another recovers the same owner meanwhile, whoever makes the next step goes on
/// from there.
final class RedisRecovery {
    private static final Script LAPSED = Script.beside(RedisRecovery.class, "lapsed.lua");
    private static final byte[] RELEASE = ascii("release");
    private static final byte[] LAPSE = ascii("lapsed");

    /// Most jobs and bytes of a step. So much takes 2 ms; one job is given back whatever its size.
    static final int STEP_JOBS_MAX = 250;

    private static final byte[] STEP_BYTES_MAX = ascii(Integer.toString(256 << 10));

    private static final List<byte[]> RECOVER_LIMITS =
            List.of(
                    ascii(Long.toString(Leasing.CRASHES_REMEMBERED.toSeconds())),
                    ascii(Integer.toString(Leasing.NAMED_MAX)),
                    // To name larger jobs costs more than their names are worth.
                    ascii(Integer.toString(64 << 10)),
                    ascii(Long.toString(Leasing.RECOVERED_REMEMBERED.toSeconds())),
                    STEP_BYTES_MAX,
                    ascii(Integer.toString(STEP_JOBS_MAX)));

    private final RedisConnection connection;
    private final QueueLayout layout;
    private final ServedQueues served;
    private final Script recover;
    private final GiveBack giveBack;

    /// The jobs that the steps so far have given back.
    private record Ended(Leasing.Moved jobs, Leasing.Moved suspects) {
        static final Ended NOTHING = new Ended(Leasing.Moved.NONE, Leasing.Moved.NONE);

        Ended and(List<?> step) {
            List<byte[]> suspected = Replies.payloads(step.get(4));
            Leasing.Moved all = jobs.and(Replies.number(step.get(2)), suspected);
            return new Ended(
                    all.and(0, Replies.payloads(step.get(5))),
                    suspects.and(Replies.number(step.get(3)), suspected));
        }

        Ended and(Ended other) {
            return new Ended(
                    jobs.and(other.jobs.count(), other.jobs.named()),
                    suspects.and(other.suspects.count(), other.suspects.named()));
        }
    }

    RedisRecovery(RedisConnection connection, QueueLayout layout, ServedQueues served) {
        this.connection = connection;
        this.layout = layout;
        this.served = served;
        recover = Sides.of(layout).script("recover.lua");
        giveBack = new GiveBack(connection, layout);
    }

    Leasing.Recovered recover(String queue, String self) {
        giveBack.allShared(queue);
        List<byte[]> leases = List.of(Keys.bytes(layout.leases(queue)));
        List<String> owners = new ArrayList<>();
        Ended all = Ended.NOTHING;
        for (String owner : Replies.texts(connection.eval(LAPSED, leases, List.of()))) {
            Ended ended = owner.equals(self) ? null : end(queue, owner, LAPSE);
            if (ended != null) {
                owners.add(owner);
                all = all.and(ended);
            }
        }
        return new Leasing.Recovered(owners, all.jobs(), all.suspects(), waiting(queue));
    }

    /// How many suspects may be run alone. Where their crashes cannot be read none may, and a
    /// process that is started for them would end without having run any.
    private int waiting(String queue) {
        connection.call("HLEN", layout.crashesAlone(queue));
        return Replies.number(connection.call("LLEN", layout.suspects(queue)));
    }

    /// Makes steps until the lease is gone; null when it is still good.
    private @Nullable Ended end(String queue, String owner, byte[] mode) {
        Ended ended = Ended.NOTHING;
        List<byte[]> tokens = List.of();
        while (true) {
            queueStep(queue, owner, mode, tokens);
            Object reply = connection.flush().getFirst();
            if (reply == null) {
                return null;
            }
            List<?> step = Replies.list(reply);
            ended = ended.and(step);
            if (isLast(step)) {
                return ended;
            }
            tokens = tokens.subList(Replies.number(step.get(1)), tokens.size());
            if (tokens.isEmpty()) {
                tokens = tokens(queue, owner);
            }
        }
    }

    private static boolean isLast(List<?> step) {
        return Replies.number(step.getFirst()) == 1;
    }

    /// The newest first. Of two numbers the longer is the greater.
    private List<byte[]> tokens(String queue, String owner) {
        return Replies.texts(connection.call("HKEYS", layout.inflight(queue, owner))).stream()
                .filter(field -> !field.equals("floor") && !field.equals("solo"))
                .sorted(
                        Comparator.comparingInt(String::length)
                                .thenComparing(Comparator.naturalOrder())
                                .reversed())
                .map(Keys::bytes)
                .toList();
    }

    private void queueStep(String queue, String owner, byte[] mode, List<byte[]> tokens) {
        List<byte[]> args = new ArrayList<>(List.of(Keys.bytes(owner), mode));
        args.addAll(RECOVER_LIMITS);
        args.addAll(tokens.subList(0, Math.min(STEP_JOBS_MAX, tokens.size())));
        connection.queueEval(
                recover,
                List.of(
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.queue(queue)),
                        Keys.bytes(layout.crashes(queue)),
                        Keys.bytes(layout.suspects(queue)),
                        Keys.bytes(layout.crashesAlone(queue)),
                        Keys.bytes(layout.recovered(queue)),
                        Keys.bytes(layout.noted(queue, owner)),
                        Keys.bytes(layout.arrivals(queue, owner))),
                args);
    }

    /// Releases some queues to a round trip, and takes more round trips where there is more to give
    /// back. What one queue refuses keeps no other from being released.
    int release(String owner, Collection<String> queues) {
        int jobs = 0;
        List<RedisFailure> refusals = new ArrayList<>();
        for (List<String> some : ServedQueues.parts(queues)) {
            some.forEach(giveBack::queueSharedSome);
            some.forEach(queue -> queueStep(queue, owner, RELEASE, List.of()));
            List<@Nullable Object> replies = connection.flush();
            for (Object reply : replies) {
                if (reply instanceof RedisFailure refusal) {
                    refusals.add(refusal);
                }
            }
            for (int i = 0; i < some.size(); i++) {
                if (hasMore(replies.get(i)) || hasMore(replies.get(some.size() + i))) {
                    jobs += releaseRest(some.get(i), owner, refusals);
                }
            }
            // Not in the same round trip: a script that Redis does not have yet is sent again, and
            // would come behind this one.
            served.forget(some);
        }
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
        return jobs;
    }

    /// @param reply of give_back.lua, which has the number that is left, or of recover.lua
    private static boolean hasMore(@Nullable Object reply) {
        return switch (reply) {
            case Long left -> left > 0;
            case List<?> step -> !isLast(step);
            case null, default -> false;
        };
    }

    private int releaseRest(String queue, String owner, List<RedisFailure> refusals) {
        try {
            giveBack.allShared(queue);
            Ended ended = end(queue, owner, RELEASE);
            return ended == null ? 0 : ended.jobs().count();
        } catch (RedisFailure failure) {
            if (failure.kind() != RedisFailure.Kind.REFUSED) {
                throw failure;
            }
            refusals.add(failure);
            return 0;
        }
    }
}
