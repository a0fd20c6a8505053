package dev.mawashi.broker;

import dev.mawashi.redis.RedisFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// The hands that tests of a broker have: they push, claim and settle, and look where jobs are.
abstract class BrokerHands {
    static final int MANY_BYTES = 1 << 20;
    static final Duration LONG = Duration.ofMinutes(5);
    static final Duration LAPSED = Duration.ofSeconds(-1);

    abstract Broker broker();

    abstract Places places();

    /// Payloads of a queue, next to run first.
    List<String> queued(String queue) {
        return strings(places().queued(queue));
    }

    List<String> scheduled(Scheduling.From from) {
        return strings(places().scheduled(from));
    }

    List<String> dead() {
        return strings(places().dead());
    }

    /// Payloads that any owner has in flight.
    List<String> inFlight(String queue) {
        return strings(places().inFlight(queue));
    }

    private static List<String> strings(List<byte[]> payloads) {
        return payloads.stream().map(p -> new String(p, StandardCharsets.UTF_8)).toList();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<String> texts(List<Lease> leases) {
        return leases.stream().map(l -> new String(l.payload(), StandardCharsets.UTF_8)).toList();
    }

    void push(String queue, String... payloads) {
        try (Enqueuing enqueuing = broker().enqueuing()) {
            enqueuing.push(queue, List.of(payloads).stream().map(BrokerHands::bytes).toList());
            for (RedisFailure refusal : enqueuing.flush().values()) {
                throw refusal;
            }
        }
    }

    void open(String owner, String... queues) {
        try (Leasing leasing = broker().leasing()) {
            leasing.open(owner, List.of(queues), LONG);
        }
    }

    List<Lease> claim(String owner, int most, String... queues) {
        try (Claiming claiming = broker().claiming()) {
            return claiming.claim(List.of(queues), owner, most, MANY_BYTES).leases();
        }
    }

    SettleReport settle(List<Lease> leases, Settlement settlement) {
        try (Settling settling = broker().settling()) {
            return settling.settle(leases.stream().map(l -> new Settled(l, settlement)).toList());
        }
    }
}
