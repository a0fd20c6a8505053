package dev.mawashi.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// This process's own account of its tokens in Redis: those that it holds, and the settlements of
/// the others. Redis may go back in time; `due` decides about a token that Redis has again.
///
/// Guarded by its monitor, which each claim and each command that settles takes, and not each ack.
/// Only the newest of the jobs that are over are remembered. An older one runs again if Redis has
/// it again: twice is better than never.
final class Holdings {
    /// Most settlements that are remembered besides acks, and most bytes of payload in them.
    static final int SETTLEMENTS_MAX = 10_000;

    private static final int SETTLEMENT_BYTES_MAX = 16 << 20;

    /// Most ranges of tokens that are remembered as settled.
    static final int RANGES_MAX = 20_000;

    private final NavigableMap<Long, Long> underWay = new TreeMap<>();
    private final NavigableMap<Long, Claim> claims = new TreeMap<>();

    /// The ranges of tokens that were set aside for claims of which nothing is left: from the first
    /// token to the one behind the last. Adjacent ranges are one.
    private final NavigableMap<Long, Long> over = new TreeMap<>();

    private final Map<Long, Settlement> settlements = new LinkedHashMap<>();
    private final Set<String> forgotten = new HashSet<>();

    /// Batches of settlements that are under way.
    private final Set<List<Settled>> sent = Collections.newSetFromMap(new IdentityHashMap<>());

    /// Tokens of settlements of which nobody knows whether Redis has made them.
    private final Set<Long> inDoubt = new HashSet<>();

    private long settlementBytes;
    private long nextToken = 1;

    /// How the tokens below this one were settled is remembered no more.
    private long rememberedFrom = 1;

    /// Jobs of one claim; null in place of those that are settled.
    private static final class Claim {
        private final long firstToken;
        private final @Nullable Lease[] leases;

        /// The token behind those that were set aside. The ones that the claim did not use no job
        /// ever had.
        private final long nextToken;

        private int held;

        /// At how many crashes the claim's job had run alone before; empty for jobs that do not run
        /// alone.
        private OptionalInt crashesAlone = OptionalInt.empty();

        private Claim(long firstToken, List<Lease> leases, long nextToken) {
            this.firstToken = firstToken;
            this.leases = leases.toArray(new Lease[0]);
            this.nextToken = nextToken;
            held = this.leases.length;
        }

        private boolean covers(long token) {
            return token >= firstToken && token < firstToken + leases.length;
        }

        private @Nullable Lease lease(long token) {
            return leases[(int) (token - firstToken)];
        }

        private void settle(long token) {
            if (lease(token) != null) {
                leases[(int) (token - firstToken)] = null;
                held--;
            }
        }
    }

    /// Sets tokens aside for a claim that is about to be sent.
    ///
    /// @return the first of them
    synchronized long reserve(int count) {
        long first = nextToken;
        nextToken += count;
        underWay.put(first, nextToken);
        return first;
    }

    /// The token that is set aside next.
    synchronized long next() {
        return nextToken;
    }

    /// Leaves a token out.
    ///
    /// @return the one that is set aside next, which is above all that `next` has returned
    synchronized long skip() {
        return ++nextToken;
    }

    /// Notes what a claim took. The tokens follow one another.
    ///
    /// @param firstToken what `reserve` returned
    synchronized void claimed(long firstToken, List<Lease> leases) {
        long next = Objects.requireNonNull(underWay.remove(firstToken));
        if (leases.isEmpty()) {
            addOver(firstToken, next);
        } else if (!forgotten.contains(leases.getFirst().owner())) {
            claims.put(firstToken, new Claim(firstToken, leases, next));
        }
    }

    /// Notes that a claim took a job to be run alone.
    ///
    /// @param crashes at how many crashes the job had run alone before
    synchronized void claimedAlone(Lease lease, int crashes) {
        claimed(lease.token(), List.of(lease));
        Claim claim = claimOf(lease.token());
        if (claim != null) {
            claim.crashesAlone = OptionalInt.of(crashes);
        }
    }

    /// Notes that the claim never took effect, or that what it took was given back.
    synchronized void gaveUp(long firstToken) {
        underWay.remove(firstToken);
    }

    /// Notes settlements that are about to be sent.
    synchronized void sending(List<Settled> all) {
        sent.add(all);
    }

    /// Notes that these settlements are no longer under way.
    ///
    /// @param isKnown false when no answer came
    synchronized void sent(List<Settled> all, boolean isKnown) {
        sent.remove(all);
        if (!isKnown) {
            all.stream().filter(Holdings::isEnd).forEach(one -> inDoubt.add(one.lease().token()));
        }
    }

    /// An arrival only moves its job to where a comparison looks for it.
    private static boolean isEnd(Settled one) {
        return !(one.settlement() instanceof Settlement.Arrived);
    }

    /// Notes settlements that Redis has answered.
    synchronized void settled(List<Settled> all) {
        Claim claim = null;
        for (Settled one : all) {
            long token = one.lease().token();
            if (!inDoubt.isEmpty()) {
                inDoubt.remove(token);
            }
            if (claim == null || !claim.covers(token)) {
                claim = claimOf(token);
            }
            if (claim != null) {
                remember(token, one.settlement());
                claim.settle(token);
                endIfOver(claim);
            }
        }
    }

    private @Nullable Claim claimOf(long token) {
        Map.Entry<Long, Claim> entry = claims.floorEntry(token);
        return entry != null && entry.getValue().covers(token) ? entry.getValue() : null;
    }

    private void endIfOver(Claim claim) {
        if (claim.held == 0 && claims.remove(claim.firstToken) != null) {
            addOver(claim.firstToken, claim.nextToken);
        }
    }

    private void addOver(long from, long next) {
        long first = from;
        Map.Entry<Long, Long> before = over.floorEntry(first);
        if (before != null && before.getValue() == first) {
            first = before.getKey();
        }
        Long behind = over.remove(next);
        over.put(first, behind == null ? next : behind);
        if (over.size() > RANGES_MAX) {
            forgetBelow(over.pollFirstEntry().getValue());
        }
    }

    private void remember(long token, Settlement settlement) {
        if (settlement instanceof Settlement.Ack) {
            return;
        }
        if (settlements.put(token, settlement) == null) {
            settlementBytes += bytes(settlement);
        }
        var eldest = settlements.entrySet().iterator();
        while (settlements.size() > SETTLEMENTS_MAX || settlementBytes > SETTLEMENT_BYTES_MAX) {
            Map.Entry<Long, Settlement> oldest = eldest.next();
            settlementBytes -= bytes(oldest.getValue());
            forgetBelow(oldest.getKey() + 1);
            eldest.remove();
        }
    }

    private static int bytes(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Retry retry -> retry.payload().length;
            case Settlement.Bury bury -> bury.payload().length;
            case Settlement.Fail fail -> fail.record().length;
            case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ -> 0;
        };
    }

    private void forgetBelow(long token) {
        rememberedFrom = Math.max(rememberedFrom, token);
    }

    /// The settlement that is to be made of a job that Redis has in flight.
    ///
    /// @return null when nothing is to be made: the job is held here, or its claim is under way
    synchronized @Nullable Settlement due(long token) {
        Map.Entry<Long, Long> asked = underWay.floorEntry(token);
        if (asked != null && token < asked.getValue()) {
            return null;
        }
        Claim claim = claimOf(token);
        if (claim != null && claim.lease(token) != null) {
            return null;
        }
        Settlement made = settlements.get(token);
        if (made != null) {
            return made;
        }
        Map.Entry<Long, Long> ended = over.floorEntry(token);
        boolean wasHere = claim != null || (ended != null && token < ended.getValue());
        return wasHere && token >= rememberedFrom ? Settlement.ACK : Settlement.REQUEUE;
    }

    /// The jobs that an owner holds, oldest first.
    synchronized List<Lease> held(String owner) {
        List<Lease> held = new ArrayList<>();
        for (Claim claim : claims.values()) {
            for (Lease lease : claim.leases) {
                if (lease != null && lease.owner().equals(owner)) {
                    held.add(lease);
                }
            }
        }
        return held;
    }

    /// Those of these jobs that are still held and whose settlement was not sent. A settlement that
    /// was sent may be what took the job out of Redis, and would be made twice if the job came
    /// back. The settlement is sent again in any case.
    synchronized List<Lease> stillHeld(Collection<Lease> leases) {
        Set<Long> unsure = new HashSet<>(inDoubt);
        sent.forEach(batch ->
                batch.stream()
                        .filter(Holdings::isEnd)
                        .forEach(one -> unsure.add(one.lease().token())));
        return leases.stream()
                .filter(lease -> {
                    Claim claim = claimOf(lease.token());
                    return claim != null
                            && claim.lease(lease.token()) != null
                            && !unsure.contains(lease.token());
                })
                .toList();
    }

    /// At how many crashes a job had run alone before, if it is held and runs alone.
    synchronized OptionalInt crashesAlone(long token) {
        Claim claim = claimOf(token);
        return claim == null ? OptionalInt.empty() : claim.crashesAlone;
    }

    /// Forgets what this owner held: others have it.
    synchronized void forget(String owner) {
        forgotten.add(owner);
        claims.values().removeIf(claim -> isOf(claim, owner));
    }

    private static boolean isOf(Claim claim, String owner) {
        for (Lease lease : claim.leases) {
            if (lease != null) {
                return lease.owner().equals(owner);
            }
        }
        return false;
    }
}
