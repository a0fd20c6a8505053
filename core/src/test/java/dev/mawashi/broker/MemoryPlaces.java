package dev.mawashi.broker;

import java.util.List;

/// The places in a broker in memory.
record MemoryPlaces(MemoryBroker broker) implements Places {
    @Override
    public List<byte[]> queued(String queue) {
        return broker.queued(queue);
    }

    @Override
    public List<byte[]> arrived(String queue) {
        return broker.server().look(state -> state.arrived(queue));
    }

    @Override
    public List<Lease> held(String queue) {
        return broker.server().look(state -> state.held(queue));
    }

    @Override
    public List<byte[]> suspects(String queue) {
        return broker.suspectsOf(queue);
    }

    @Override
    public List<byte[]> scheduled(Scheduling.From from) {
        return broker.scheduled(from);
    }

    @Override
    public List<byte[]> dead() {
        return broker.dead();
    }
}
