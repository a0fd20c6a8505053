package dev.mawashi.broker;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A broker that counts what is asked of another.
public final class CountingBroker implements Broker {
    private final Broker broker;
    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger parkings = new AtomicInteger();

    public CountingBroker(Broker broker) {
        this.broker = broker;
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
        Claiming claiming = broker.claiming();
        return new Claiming() {
            @Override
            public Claimed claim(List<String> queues, String owner, int most, int mostBytes) {
                claims.incrementAndGet();
                return claiming.claim(queues, owner, most, mostBytes);
            }

            @Override
            public Optional<Suspect> claimSuspect(List<String> queues, String owner) {
                return claiming.claimSuspect(queues, owner);
            }

            @Override
            public void absolve(Lease suspect, boolean isInnocent) {
                claiming.absolve(suspect, isInnocent);
            }

            @Override
            public void giveBack(List<String> queues) {
                claiming.giveBack(queues);
            }

            @Override
            public void close() {
                claiming.close();
            }
        };
    }

    @Override
    public Parking parking() {
        parkings.incrementAndGet();
        return broker.parking();
    }

    @Override
    public Enqueuing enqueuing() {
        return broker.enqueuing();
    }

    @Override
    public Settling settling() {
        return broker.settling();
    }

    @Override
    public Scheduling scheduling() {
        return broker.scheduling();
    }

    @Override
    public Leasing leasing() {
        return broker.leasing();
    }
}
