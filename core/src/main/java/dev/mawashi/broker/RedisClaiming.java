package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Claiming by script.
///
/// A claim whose reply is lost, or that failed half-way, may have moved jobs that this process then
/// does not know of, and Redis may even run it later. So it is remembered and given up, by its
/// range of tokens, before the next claim: what it took goes back, and a floor under the tokens
/// keeps it from taking anything afterwards.
final class RedisClaiming implements Claiming {
    private static final Script CLAIM = Script.beside(RedisClaiming.class, "claim.lua");
    private static final Script ABANDON = Script.beside(RedisClaiming.class, "abandon.lua");
    private static final Script CLAIM_SUSPECT =
            Script.beside(RedisClaiming.class, "claim_suspect.lua");
    private static final Script ABSOLVE = Script.beside(RedisClaiming.class, "absolve.lua");
    private static final Script GIVE_BACK = Script.beside(RedisClaiming.class, "give_back.lua");
    private static final byte[] DEAD = Keys.bytes(Keys.DEAD);
    private static final byte[] LARGEST = ascii(Integer.toString(RedisBroker.PAYLOAD_BYTES_MAX));

    private final RedisConnection connection;
    private final AtomicLong tokens;
    private @Nullable Lost lost;
    private List<String> keysFor = List.of();
    private String keysOwner = "";
    private List<byte[]> keys = List.of();

    /// A claim that may have taken jobs and did not say which.
    private record Lost(List<String> queues, String owner, long firstToken, long nextToken) {}

    /// @param tokens the next token, shared by all claimers of the process
    RedisClaiming(RedisConnection connection, AtomicLong tokens) {
        this.connection = connection;
        this.tokens = tokens;
    }

    @Override
    public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
        abandonLost();
        long first = tokens.getAndAdd(most);
        List<byte[]> args =
                List.of(
                        Keys.bytes(owner),
                        ascii(Long.toString(first)),
                        ascii(Integer.toString(most)),
                        ascii(Integer.toString(mostBytes)),
                        LARGEST);
        try {
            return read(connection.eval(CLAIM, keys(queues, owner), args), queues, owner, first);
        } catch (RedisFailure failure) {
            // A script that is refused half-way has taken from the queues before.
            if (failure.kind() != RedisFailure.Kind.NOT_SENT) {
                lost = new Lost(queues, owner, first, first + most);
            }
            throw failure;
        }
    }

    private void abandonLost() {
        Lost claim = lost;
        if (claim == null) {
            return;
        }
        for (String queue : claim.queues()) {
            connection.eval(
                    ABANDON,
                    List.of(
                            Keys.bytes(Keys.inflight(queue, claim.owner())),
                            Keys.bytes(Keys.queue(queue))),
                    List.of(
                            ascii(Long.toString(claim.firstToken())),
                            ascii(Long.toString(claim.nextToken()))));
        }
        lost = null;
    }

    private List<byte[]> keys(List<String> queues, String owner) {
        if (queues.equals(keysFor) && owner.equals(keysOwner)) {
            return keys;
        }
        List<byte[]> fresh = new ArrayList<>(1 + 4 * queues.size());
        fresh.add(DEAD);
        for (String queue : queues) {
            fresh.add(Keys.bytes(Keys.queue(queue)));
            fresh.add(Keys.bytes(Keys.arrivals(queue)));
            fresh.add(Keys.bytes(Keys.inflight(queue, owner)));
            fresh.add(Keys.bytes(Keys.leases(queue)));
        }
        keysFor = List.copyOf(queues);
        keysOwner = owner;
        keys = fresh;
        return fresh;
    }

    private static Claimed read(
            @Nullable Object reply, List<String> queues, String owner, long firstToken) {
        if (!(reply instanceof List<?> values)) {
            throw new IllegalStateException("claim.lua answered " + reply);
        }
        List<Lease> leases = new ArrayList<>(values.size());
        long token = firstToken;
        int at = 3;
        while (at < values.size()) {
            String queue = queues.get(number(values.get(at)));
            int end = at + 2 + number(values.get(at + 1));
            for (at += 2; at < end; at++) {
                leases.add(new Lease(queue, owner, token++, (byte[]) values.get(at)));
            }
        }
        boolean isFenced = number(values.get(0)) > 0;
        return new Claimed(leases, isFenced, number(values.get(1)), number(values.get(2)));
    }

    private static int number(Object reply) {
        return ((Long) reply).intValue();
    }

    @Override
    public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
        abandonLost();
        for (String queue : queues) {
            long token = tokens.getAndIncrement();
            Object reply = evalSuspect(queue, owner, token);
            if (reply instanceof List<?> values) {
                Lease lease = new Lease(queue, owner, token, (byte[]) values.get(0));
                return Optional.of(new Suspect(lease, number(values.get(1))));
            }
        }
        return Optional.empty();
    }

    private @Nullable Object evalSuspect(String queue, String owner, long token) {
        List<byte[]> fourKeys =
                List.of(
                        Keys.bytes(Keys.suspects(queue)),
                        Keys.bytes(Keys.inflight(queue, owner)),
                        Keys.bytes(Keys.leases(queue)),
                        Keys.bytes(Keys.crashes(queue)));
        try {
            return connection.eval(
                    CLAIM_SUSPECT,
                    fourKeys,
                    List.of(Keys.bytes(owner), ascii(Long.toString(token))));
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                lost = new Lost(List.of(queue), owner, token, token + 1);
            }
            throw failure;
        }
    }

    @Override
    public void absolve(Lease suspect, boolean isInnocent) {
        connection.eval(
                ABSOLVE,
                List.of(
                        Keys.bytes(Keys.inflight(suspect.queue(), suspect.owner())),
                        Keys.bytes(Keys.crashes(suspect.queue()))),
                List.of(isInnocent ? Script.sha1Hex(suspect.payload()) : ascii("")));
    }

    @Override
    public void giveBack(List<String> queues) {
        abandonLost();
        for (String queue : queues) {
            connection.eval(
                    GIVE_BACK,
                    List.of(Keys.bytes(Keys.arrivals(queue)), Keys.bytes(Keys.queue(queue))),
                    List.of());
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
