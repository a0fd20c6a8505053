package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailures;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/// A broker that counts what is asked of another, and fails when told to.
public final class CountingBroker implements Broker {
    private final Broker broker;
    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger parkings = new AtomicInteger();
    private final AtomicBoolean losesGiveBack = new AtomicBoolean();
    private final AtomicReference<Lock> settlingHold = new AtomicReference<>(new ReentrantLock());
    private final AtomicReference<Runnable> onTwoUnderWay = new AtomicReference<>(() -> {});

    public CountingBroker(Broker broker) {
        this.broker = broker;
    }

    /// Loses the connection when next something is to be given back.
    public void loseGiveBack() {
        losesGiveBack.set(true);
    }

    /// Does this when next two claims are under way, on the claimer's thread.
    public void onTwoUnderWay(Runnable action) {
        onTwoUnderWay.set(action);
    }

    private void tell(int underWay) {
        if (underWay > 1) {
            onTwoUnderWay.getAndSet(() -> {}).run();
        }
    }

    /// Claims sent, whatever they took.
    public int claims() {
        return claims.get();
    }

    /// Parking sessions opened.
    public int parkings() {
        return parkings.get();
    }

    @Override
    public Claiming claiming() {
        return new CountedClaiming(broker.claiming());
    }

    @Override
    public Parking parking() {
        parkings.incrementAndGet();
        return broker.parking();
    }

    @Override
    public Watching watching() {
        return broker.watching();
    }

    @Override
    public Enqueuing enqueuing() {
        return broker.enqueuing();
    }

    /// From now on settlements wait until the lock is free.
    public void holdSettling(Lock held) {
        settlingHold.set(held);
    }

    @Override
    public Settling settling() {
        Settling settling = broker.settling();
        return new Settling() {
            @Override
            public SettleReport settle(List<Settled> settled) {
                Lock held = settlingHold.get();
                held.lock();
                try {
                    return settling.settle(settled);
                } finally {
                    held.unlock();
                }
            }

            @Override
            public void close() {
                settling.close();
            }
        };
    }

    @Override
    public Scheduling scheduling() {
        return broker.scheduling();
    }

    @Override
    public Leasing leasing() {
        return broker.leasing();
    }

    private final class CountedClaiming implements Claiming {
        private final Claiming claiming;

        private CountedClaiming(Claiming claiming) {
            this.claiming = claiming;
        }

        @Override
        public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
            claims.incrementAndGet();
            return claiming.claim(queues, owner, most, mostBytes);
        }

        @Override
        public void ask(List<String> queues, String owner, int most, int mostBytes) {
            claims.incrementAndGet();
            claiming.ask(queues, owner, most, mostBytes);
            tell(claiming.asked());
        }

        @Override
        public Claimed answer() {
            return claiming.answer();
        }

        @Override
        public int asked() {
            return claiming.asked();
        }

        @Override
        public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
            return claiming.claimSuspect(queues, owner);
        }

        @Override
        public void giveBack(List<String> queues, String owner) {
            if (losesGiveBack.getAndSet(false)) {
                throw RedisFailures.unknown();
            }
            claiming.giveBack(queues, owner);
        }

        @Override
        public void close() {
            claiming.close();
        }
    }
}
