package dev.mawashi.broker;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The places in a real Redis, read with plain commands.
final class RedisPlaces implements Places {
    private final RedisConnection redis;

    RedisPlaces(RedisConnection redis) {
        this.redis = redis;
    }

    @Override
    public List<byte[]> queued(String queue) {
        return list("LRANGE", Keys.queue(queue), "0", "-1").reversed();
    }

    @Override
    public List<byte[]> arrived(String queue) {
        return list("LRANGE", Keys.arrivals(queue), "0", "-1").reversed();
    }

    @Override
    public List<byte[]> inFlight(String queue) {
        List<byte[]> payloads = new ArrayList<>();
        for (byte[] key : list("KEYS", Keys.inflight(queue, "*"))) {
            String name = new String(key, StandardCharsets.UTF_8);
            List<byte[]> fields = list("HGETALL", name);
            for (int i = 0; i < fields.size(); i += 2) {
                String field = new String(fields.get(i), StandardCharsets.UTF_8);
                if (!field.equals("floor") && !field.equals("solo")) {
                    payloads.add(fields.get(i + 1));
                }
            }
        }
        return payloads;
    }

    @Override
    public List<byte[]> suspects(String queue) {
        return list("LRANGE", Keys.suspects(queue), "0", "-1").reversed();
    }

    @Override
    public List<byte[]> scheduled(Scheduling.From from) {
        return switch (from) {
            case RETRY -> list("ZRANGE", Keys.RETRY, "0", "-1");
            case SCHEDULE -> list("ZRANGE", Keys.SCHEDULE, "0", "-1");
        };
    }

    @Override
    public List<byte[]> dead() {
        return list("ZRANGE", Keys.DEAD, "0", "-1");
    }

    private List<byte[]> list(String... command) {
        List<byte[]> all = new ArrayList<>();
        if (redis.call(command) instanceof List<?> values) {
            values.forEach(value -> all.add((byte[]) value));
        }
        return all;
    }
}
