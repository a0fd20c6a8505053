package dev.mawashi.broker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Claims from a broker in memory. What is asked for is taken at once, as Redis would take it.
final class MemoryClaiming implements Claiming {
    private final MemoryBroker broker;
    private final Deque<Claimed> answers = new ArrayDeque<>();

    MemoryClaiming(MemoryBroker broker) {
        this.broker = broker;
    }

    @Override
    public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
        if (!answers.isEmpty()) {
            throw new IllegalStateException(answers.size() + " answers are still to come");
        }
        return broker.claim(queues, owner, most, mostBytes);
    }

    @Override
    public void ask(List<String> queues, String owner, int most, int mostBytes) {
        answers.addLast(broker.claim(queues, owner, most, mostBytes));
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
        return broker.claimSuspect(queues, owner);
    }

    @Override
    public void giveBack(List<String> queues) {
        // Parking here moves nothing, so there is nothing to give back.
    }

    @Override
    public void close() {}
}
