package dev.mawashi.broker;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.broker.LostClaims.Asked;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Claiming by script.
///
/// A claim whose reply is lost, or that failed half-way, may have moved jobs that this process does
/// not know of. Redis may even run it later. So the claim is remembered, and given up before the
/// next one, by its range of tokens: what it took goes back, and a floor under the tokens keeps it
/// from taking anything afterwards. Of several lost claims the newest is given up first, so that
/// the oldest job comes to stand at the head.
final class RedisClaiming implements Claiming {
    private static final byte[] LARGEST = ascii(Integer.toString(RedisBroker.PAYLOAD_BYTES_MAX));

    private static final ArrivalLists.Look NO_LOOK = new ArrivalLists.Look(List.of(), "");

    private final RedisConnection connection;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final List<byte[]> limits;
    private final QueueLayout layout;
    private final Script claim;
    private final Script claimSuspect;
    private final OwnGiveBack giveBack;
    private final LostClaims lost;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private List<String> keysFor = List.of();
    private String keysOwner = "";
    private List<byte[]> keys = List.of();

    /// @param holdings of the process, shared by all its claimers
    RedisClaiming(
            RedisConnection connection,
            Holdings holdings,
            ArrivalLists arrivals,
            DeadLimits limits,
            QueueLayout layout) {
        this.connection = connection;
        this.holdings = holdings;
        this.arrivals = arrivals;
        this.limits = limits.args();
        this.layout = layout;
        Sides sides = Sides.of(layout);
        claim = sides.script("claim.lua");
        claimSuspect = sides.script("claim_suspect.lua");
        giveBack = new OwnGiveBack(connection, holdings, arrivals, layout);
        lost = new LostClaims(connection, holdings, arrivals, layout);
    }

    @Override
    public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
        lost.abandonAll();
        Asked one = reserve(queues, owner, most);
        try {
            return read(connection.eval(claim, keys(queues, owner), args(one, mostBytes)), one);
        } catch (RedisFailure failure) {
            lost.add(one, failure);
            throw failure;
        }
    }

    private Asked reserve(List<String> queues, String owner, int most) {
        long first = holdings.reserve(most);
        return new Asked(queues, owner, first, first + most, arrivals.look(queues));
    }

    private List<byte[]> args(Asked one, int mostBytes) {
        return List.of(
                Keys.bytes(one.owner()),
                ascii(Long.toString(one.firstToken())),
                ascii(Long.toString(one.nextToken() - one.firstToken())),
                ascii(Integer.toString(mostBytes)),
                LARGEST,
                limits.getFirst(),
                limits.getLast(),
                ascii(one.look().marks()));
    }

    @Override
    public void ask(List<String> queues, String owner, int most, int mostBytes) {
        if (asked.isEmpty()) {
            lost.abandonAll();
        }
        Asked one = reserve(queues, owner, most);
        try {
            connection.send(claim, keys(queues, owner), args(one, mostBytes));
            asked.addLast(one);
        } catch (RedisFailure failure) {
            loseUnanswered();
            lost.add(one, failure);
            throw failure;
        }
    }

    @Override
    public Claimed answer() {
        Asked one = asked.removeFirst();
        try {
            return read(connection.awaitReply(), one);
        } catch (RedisFailure failure) {
            if (failure.code().equals("NOSCRIPT")) {
                // The claim took nothing. Redis gets the script's text from `claim`.
                lost.gaveUp(one);
                return Claimed.NOTHING;
            }
            lost.add(one, failure);
            if (connection.owed() == 0) {
                loseUnanswered();
            }
            throw failure;
        }
    }

    private void loseUnanswered() {
        asked.forEach(lost::add);
        asked.clear();
    }

    @Override
    public int asked() {
        return asked.size();
    }

    private List<byte[]> keys(List<String> queues, String owner) {
        if (queues.equals(keysFor) && owner.equals(keysOwner)) {
            return keys;
        }
        List<byte[]> fresh = new ArrayList<>(1 + 4 * queues.size());
        fresh.add(Keys.bytes(layout.oversized()));
        for (String queue : queues) {
            fresh.add(Keys.bytes(layout.queue(queue)));
            fresh.add(Keys.bytes(layout.arrivals(queue, owner)));
            fresh.add(Keys.bytes(layout.inflight(queue, owner)));
            fresh.add(Keys.bytes(layout.leases(queue)));
        }
        keysFor = List.copyOf(queues);
        keysOwner = owner;
        keys = fresh;
        return fresh;
    }

    private Claimed read(@Nullable Object reply, Asked one) {
        if (!(reply instanceof List<?> values)) {
            throw new IllegalStateException("claim.lua answered " + reply);
        }
        List<Lease> leases = new ArrayList<>(values.size());
        Set<String> unusable = lost.setAside();
        long token = one.firstToken();
        int at = 3;
        while (at < values.size()) {
            String queue = one.queues().get(number(values.get(at)));
            int count = number(values.get(at + 1));
            if (count < 0) {
                unusable = new HashSet<>(unusable);
                unusable.add(queue);
            }
            int end = at + 2 + Math.max(0, count);
            for (at += 2; at < end; at++) {
                leases.add(new Lease(queue, one.owner(), token++, (byte[]) values.get(at)));
            }
        }
        holdings.claimed(one.firstToken(), leases);
        arrivals.done(one.look());
        boolean isFenced = number(values.get(0)) > 0;
        return new Claimed(
                leases,
                isFenced,
                new Met(lookedAt(one.queues(), leases), unusable),
                number(values.get(1)),
                number(values.get(2)));
    }

    /// A claim that takes something may leave those alone that come after it.
    private static List<String> lookedAt(List<String> queues, List<Lease> leases) {
        return leases.isEmpty()
                ? queues
                : queues.subList(0, queues.indexOf(leases.getLast().queue()) + 1);
    }

    private static int number(Object reply) {
        return ((Long) reply).intValue();
    }

    @Override
    public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
        lost.abandonAll();
        RedisFailure refusal = null;
        for (String queue : queues) {
            try {
                Optional<Suspect> suspect = claimSuspect(queue, owner);
                if (suspect.isPresent()) {
                    return suspect;
                }
            } catch (RedisFailure failure) {
                if (!failure.isOfOneCommand()) {
                    throw failure;
                }
                // One queue's key is of a wrong type; the others' suspects run all the same.
                refusal = failure;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
        return Optional.empty();
    }

    private Optional<Suspect> claimSuspect(String queue, String owner) {
        long token = holdings.reserve(1);
        Asked one = new Asked(List.of(queue), owner, token, token + 1, NO_LOOK);
        try {
            if (evalSuspect(queue, owner, token) instanceof List<?> values) {
                Lease lease = new Lease(queue, owner, token, (byte[]) values.get(0));
                int crashes = number(values.get(1));
                holdings.claimedAlone(lease, crashes);
                return Optional.of(new Suspect(lease, crashes));
            }
            lost.gaveUp(one);
        } catch (RedisFailure failure) {
            lost.add(one, failure);
            throw failure;
        }
        return Optional.empty();
    }

    private @Nullable Object evalSuspect(String queue, String owner, long token) {
        List<byte[]> fourKeys =
                List.of(
                        Keys.bytes(layout.suspects(queue)),
                        Keys.bytes(layout.inflight(queue, owner)),
                        Keys.bytes(layout.leases(queue)),
                        Keys.bytes(layout.crashesAlone(queue)));
        return connection.eval(
                claimSuspect, fourKeys, List.of(Keys.bytes(owner), ascii(Long.toString(token))));
    }

    @Override
    public void giveBack(List<String> queues, String owner) {
        lost.abandonAll();
        ArrivalLists.Look look = arrivals.look(queues);
        try {
            for (int i = 0; i < queues.size(); i++) {
                if (look.marks().charAt(i) == 'f') {
                    giveBack(queues.get(i), owner);
                }
            }
        } finally {
            arrivals.done(look);
        }
    }

    /// What a wrong key keeps where it is, a later claim takes, or whoever parks there next gives
    /// back.
    private void giveBack(String queue, String owner) {
        try {
            giveBack.all(queue, owner);
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
        }
    }

    @Override
    public void close() {
        // What is lost now a comparison finds. Nobody must wait for it to park.
        lost.close();
        asked.forEach(one -> arrivals.done(one.look()));
        connection.close();
    }
}
