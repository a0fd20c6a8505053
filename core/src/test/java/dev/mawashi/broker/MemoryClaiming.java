package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Claims from a broker in memory. What is asked for is taken at once, as Redis would take it. A
/// claim whose reply is lost is given up before the next one.
final class MemoryClaiming implements Claiming {
    private final MemoryServer server;
    private final Holdings holdings;
    private final ArrivalLists arrivals;
    private final Deque<Claimed> answers = new ArrayDeque<>();
    private final Deque<Asked> lost = new ArrayDeque<>();

    /// A claim by the range of its tokens.
    record Asked(List<String> queues, String owner, long firstToken, long nextToken) {}

    MemoryClaiming(MemoryServer server, Holdings holdings, ArrivalLists arrivals) {
        this.server = server;
        this.holdings = holdings;
        this.arrivals = arrivals;
    }

    @Override
    public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
        if (!answers.isEmpty()) {
            throw new IllegalStateException(answers.size() + " answers are still to come");
        }
        return take(queues, owner, most, mostBytes);
    }

    private Claimed take(List<String> queues, String owner, int most, int mostBytes) {
        abandonLost();
        Asked one = reserve(queues, owner, most);
        ArrivalLists.Look look = arrivals.look(one.queues());
        try {
            Claimed claimed =
                    server.call(state -> state.claim(one, look.marks(), mostBytes, server.now()));
            holdings.claimed(one.firstToken(), claimed.leases());
            return claimed;
        } catch (RedisFailure failure) {
            lose(one, failure);
            throw failure;
        } finally {
            arrivals.done(look);
        }
    }

    private Asked reserve(List<String> queues, String owner, int most) {
        long first = holdings.reserve(most);
        return new Asked(List.copyOf(queues), owner, first, first + most);
    }

    private void lose(Asked one, RedisFailure failure) {
        if (failure.kind() == RedisFailure.Kind.NOT_SENT) {
            holdings.gaveUp(one.firstToken());
        } else {
            lost.addLast(one);
        }
    }

    private void abandonLost() {
        while (!lost.isEmpty()) {
            Asked one = lost.getLast();
            for (String queue : one.queues()) {
                boolean _ = server.call(state -> state.abandon(queue, one));
            }
            holdings.gaveUp(lost.removeLast().firstToken());
        }
    }

    @Override
    public void ask(List<String> queues, String owner, int most, int mostBytes) {
        answers.addLast(take(queues, owner, most, mostBytes));
    }

    @Override
    public Claimed answer() {
        return answers.removeFirst();
    }

    @Override
    public int asked() {
        return answers.size();
    }

    @Override
    public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
        abandonLost();
        for (String queue : queues) {
            Asked one = reserve(List.of(queue), owner, 1);
            try {
                Optional<Suspect> found = server.call(state -> take(state, one));
                if (found.isPresent()) {
                    holdings.claimedAlone(found.get().lease(), found.get().soloCrashes());
                    return found;
                }
            } catch (RedisFailure failure) {
                lose(one, failure);
                throw failure;
            }
            holdings.gaveUp(one.firstToken());
        }
        return Optional.empty();
    }

    private Optional<Suspect> take(MemoryState state, Asked one) {
        return state.claimSuspect(
                one.queues().getFirst(), one.owner(), one.firstToken(), server.now());
    }

    @Override
    public void giveBack(List<String> queues, String owner) {
        abandonLost();
        ArrivalLists.Look look = arrivals.look(queues);
        for (int i = 0; i < queues.size(); i++) {
            String queue = queues.get(i);
            if (look.marks().charAt(i) == 'f') {
                boolean _ = server.call(state -> state.giveBack(queue, owner));
            }
        }
        arrivals.done(look);
    }

    @Override
    public void close() {}
}
