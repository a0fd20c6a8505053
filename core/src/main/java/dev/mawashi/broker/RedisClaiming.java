package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.broker.ClaimScript.Lost;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Claiming by script.
///
/// A claim whose reply is lost, or that failed half-way, may have moved jobs that this process then
/// does not know of, and Redis may even run it later. So it is remembered and given up, by its
/// range of tokens, before the next claim: what it took goes back, and a floor under the tokens
/// keeps it from taking anything afterwards.
final class RedisClaiming implements Claiming {
    private static final Script ABSOLVE = Script.beside(RedisClaiming.class, "absolve.lua");

    private final RedisConnection connection;
    private final AtomicLong tokens;
    private final QueueLayout layout;
    private final Queue<Lost> lost;
    private final ClaimScript claim;
    private final Script claimSuspect;
    private final Script abandon;
    private final Script giveBack;

    /// @param tokens the next token, shared by all claimers of the process
    /// @param lost shared alike, safe for any thread
    RedisClaiming(
            RedisConnection connection, AtomicLong tokens, Queue<Lost> lost, QueueLayout layout) {
        this.connection = connection;
        this.tokens = tokens;
        this.lost = lost;
        this.layout = layout;
        Sides sides = Sides.of(layout);
        claim = new ClaimScript(layout);
        claimSuspect = sides.script("claim_suspect.lua");
        abandon = sides.script("abandon.lua");
        giveBack = sides.script("give_back.lua");
    }

    @Override
    public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
        abandonLost();
        long first = tokens.getAndAdd(most);
        claim.queue(connection, queues, owner, first, most, mostBytes);
        try {
            Object reply = connection.flush().getFirst();
            if (reply instanceof RedisFailure refusal) {
                throw refusal;
            }
            return ClaimScript.read(reply, queues, owner, first);
        } catch (RedisFailure failure) {
            // A script that is refused half-way has taken from the queues before.
            if (failure.kind() != RedisFailure.Kind.NOT_SENT) {
                lost.add(new Lost(queues, owner, first, first + most));
            }
            throw failure;
        }
    }

    /// Of any session of this broker: a claim that was sent along while parking may be lost too.
    private void abandonLost() {
        for (Lost given = lost.peek(); given != null; given = lost.peek()) {
            for (String queue : given.queues()) {
                connection.eval(
                        abandon,
                        List.of(
                                Keys.bytes(layout.inflight(queue, given.owner())),
                                Keys.bytes(layout.queue(queue))),
                        List.of(
                                ascii(Long.toString(given.firstToken())),
                                ascii(Long.toString(given.nextToken()))));
            }
            lost.remove(given);
        }
    }

    @Override
    public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
        abandonLost();
        for (String queue : queues) {
            long token = tokens.getAndIncrement();
            Object reply = evalSuspect(queue, owner, token);
            if (reply instanceof List<?> values) {
                Lease lease = new Lease(queue, owner, token, (byte[]) values.get(0));
                return Optional.of(new Suspect(lease, ClaimScript.number(values.get(1))));
            }
        }
        return Optional.empty();
    }

    private @Nullable Object evalSuspect(String queue, String owner, long token) {
        List<byte[]> fourKeys =
                List.of(
                        Keys.bytes(layout.suspects(queue)),
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.crashes(queue)));
        try {
            return connection.eval(
                    claimSuspect,
                    fourKeys,
                    List.of(Keys.bytes(owner), ascii(Long.toString(token))));
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                lost.add(new Lost(List.of(queue), owner, token, token + 1));
            }
            throw failure;
        }
    }

    @Override
    public void absolve(Lease suspect, boolean isInnocent) {
        connection.eval(
                ABSOLVE,
                List.of(
                        Keys.bytes(layout.inflight(suspect.queue(), suspect.owner())),
                        Keys.bytes(layout.crashes(suspect.queue()))),
                List.of(isInnocent ? Script.sha1Hex(suspect.payload()) : ascii("")));
    }

    @Override
    public void giveBack(List<String> queues) {
        abandonLost();
        for (String queue : queues) {
            connection.eval(
                    giveBack,
                    List.of(Keys.bytes(layout.arrivals(queue)), Keys.bytes(layout.queue(queue))),
                    List.of());
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
