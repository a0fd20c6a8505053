package dev.mawashi.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// A simulation's world in memory: nothing in it depends on anything but its steps.
final class MemoryWorld implements World {
    private static final int BROKEN_ONE_IN = 3;

    private Instant now = Instant.EPOCH.plus(Duration.ofDays(20_000));
    private final MemoryServer server = new MemoryServer(() -> now);

    @Override
    public Broker process(Runnable pause) {
        return new MemoryBroker(server, pause);
    }

    @Override
    public Places places() {
        return new MemoryPlaces(new MemoryBroker(server, () -> {}));
    }

    @Override
    public void save() {
        server.save();
    }

    @Override
    public void goBack() {
        server.goBack();
    }

    @Override
    public void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public void breakSome(RandomGenerator random) {
        server.breakBy(() -> {
            if (random.nextInt(BROKEN_ONE_IN) > 0) {
                return MemoryServer.Fault.NONE;
            }
            return random.nextBoolean() ? MemoryServer.Fault.NOT_SENT : MemoryServer.Fault.NO_REPLY;
        });
    }

    @Override
    public void mend() {
        server.breakBy(() -> MemoryServer.Fault.NONE);
    }

    @Override
    public void close() {}
}
