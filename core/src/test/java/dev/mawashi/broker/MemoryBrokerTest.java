package dev.mawashi.broker;

import java.nio.charset.StandardCharsets;
import java.util.List;

class MemoryBrokerTest extends BrokerContract {
    private final MemoryBroker broker = new MemoryBroker();

    @Override
    Broker broker() {
        return broker;
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

    private static List<String> strings(List<byte[]> payloads) {
        return payloads.stream().map(p -> new String(p, StandardCharsets.UTF_8)).toList();
    }

    @Override
    List<String> queued(String queue) {
        return strings(broker.queued(queue));
    }

    @Override
    List<String> scheduled(Scheduling.From from) {
        return strings(broker.scheduled(from));
    }

    @Override
    List<String> dead() {
        return strings(broker.dead());
    }
}
