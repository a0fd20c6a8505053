package dev.mawashi.broker;

import dev.mawashi.redis.KeyScan;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.QueueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The places in a real Redis, read with plain commands.
final class RedisPlaces implements Places {
    private final RedisConnection redis;
    private final QueueLayout layout;
    private final String prefix;

    RedisPlaces(RedisConnection redis) {
        this(redis, QueueLayout.SIDEKIQ);
    }

    RedisPlaces(RedisConnection redis, QueueLayout layout) {
        this(redis, layout, "");
    }

    /// @param prefix of all keys
    RedisPlaces(RedisConnection redis, QueueLayout layout, String prefix) {
        this.redis = redis;
        this.layout = layout;
        this.prefix = prefix;
    }

    @Override
    public List<byte[]> queued(String queue) {
        return fromHead(list("LRANGE", layout.queue(queue), "0", "-1"));
    }

    private List<byte[]> fromHead(List<byte[]> fromLeft) {
        return layout.nextIsLeft() ? fromLeft : fromLeft.reversed();
    }

    @Override
    public List<byte[]> arrived(String queue) {
        List<byte[]> all = new ArrayList<>();
        for (String name : names(layout.arrivals(queue, "*"))) {
            all.addAll(fromHead(list("LRANGE", name, "0", "-1")));
        }
        return all;
    }

    @Override
    public List<Lease> held(String queue) {
        List<Lease> leases = new ArrayList<>();
        int ownerFrom = layout.inflight(queue, "").length();
        for (String name : names(layout.inflight(queue, "*"))) {
            List<byte[]> fields = list("HGETALL", name);
            for (int i = 0; i < fields.size(); i += 2) {
                String field = new String(fields.get(i), StandardCharsets.UTF_8);
                if (!field.equals("floor") && !field.equals("solo")) {
                    String owner = name.substring(ownerFrom);
                    long token = Long.parseLong(field);
                    leases.add(new Lease(queue, owner, token, fields.get(i + 1)));
                }
            }
        }
        return leases;
    }

    @Override
    public List<byte[]> suspects(String queue) {
        return fromHead(list("LRANGE", layout.suspects(queue), "0", "-1"));
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

    private List<String> names(String pattern) {
        return new KeyScan(redis, prefix + pattern)
                .all().stream().map(key -> key.substring(prefix.length())).toList();
    }

    private List<byte[]> list(String... command) {
        List<byte[]> all = new ArrayList<>();
        command[1] = prefix + command[1];
        if (redis.call(command) instanceof List<?> values) {
            values.forEach(value -> all.add((byte[]) value));
        }
        return all;
    }
}
