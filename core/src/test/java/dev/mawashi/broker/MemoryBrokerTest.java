package dev.mawashi.broker;

/// The contract on the broker in memory.
class MemoryBrokerTest extends BrokerContract {
    private final MemoryBroker broker = new MemoryBroker();

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    Places places() {
        return new MemoryPlaces(broker);
    }

    @Override
    Broker anotherProcess() {
        return new MemoryBroker(broker.server(), () -> {});
    }

    @Override
    void save() {
        broker.server().save();
    }

    @Override
    void goBack() {
        broker.server().goBack();
    }

    @Override
    void loseLease(String queue, String owner) {
        boolean _ = broker.server().look(state -> state.leases(queue).remove(owner) != null);
    }
}
