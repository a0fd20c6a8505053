package dev.mawashi.redis;

import dev.mawashi.redis.RedisAddress.Place;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol;

/// Sentinels know the master by its name: see
/// https://redis.io/docs/latest/develop/reference/sentinel-clients/.
record Sentinels(RedisAddress address) implements Guides {
    /// A former master takes writes meanwhile, which are lost.
    @Override
    public Duration pause() {
        return Duration.ofMillis(250);
    }

    @Override
    public String titled() {
        return "the master of " + address;
    }

    @Override
    public String nobodyKnows() {
        return "no Sentinel names " + titled();
    }

    @Override
    public String loginRemedy() {
        return "wants ?sentinel_password=PASSWORD in the URL";
    }

    @Override
    public Answer ask(BoundedConnection connection, Place guide) {
        connection.sendCommand(
                Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", address.name());
        List<String> found = connection.getMultiBulkReply();
        if (found == null) {
            throw Masters.failed(guide + " knows no master of this name", null);
        }
        return new Answer(new Place(found.get(0), Integer.parseInt(found.get(1))), List.of());
    }

    @Override
    public String explain(String refusal) {
        return refusal.contains("unknown command") ? "it is no Sentinel" : refusal;
    }
}
