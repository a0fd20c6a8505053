package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.redis.RedisAddress.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/// Nodes of a Cluster know which of them has a slot. All keys of an address have one slot, that of
/// its name: see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/.
record ClusterNodes(RedisAddress address) implements Guides {
    private static final String UP = "cluster_state:ok";

    /// A former owner refuses what it is sent. Only who sends nothing learns it from here.
    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public String titled() {
        return "the node with the keys of " + address;
    }

    @Override
    public String nobodyKnows() {
        return "no node names " + titled();
    }

    @Override
    public String loginRemedy() {
        return "wants a password in the URL";
    }

    /// One that is cut off from most of the others says so, and knows nothing new.
    @Override
    public Answer ask(BoundedConnection connection, Place guide) {
        connection.sendCommand(Protocol.Command.CLUSTER, "INFO");
        String info = connection.getBulkReply();
        if (info == null || !info.contains(UP)) {
            throw Masters.failed(
                    guide + ": the Cluster is down (see redis-cli CLUSTER INFO there)", null);
        }
        connection.sendCommand(Protocol.Command.CLUSTER, "SLOTS");
        int slot = JedisClusterCRC16.getSlot("{" + address.name() + "}");
        Place master = null;
        List<Place> nodes = new ArrayList<>();
        for (Object range : connection.getObjectMultiBulkReply()) {
            List<?> parts = (List<?>) range;
            List<Place> those =
                    parts.stream().skip(2).map(node -> place((List<?>) node, guide)).toList();
            nodes.addAll(those);
            if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                master = those.getFirst();
            }
        }
        if (master == null) {
            throw Masters.failed(guide + ": no node has the slot " + slot, null);
        }
        return new Answer(master, nodes);
    }

    /// A node that does not know its own name gives none: it is the one that was asked.
    /// Certificates are of names, so that over TLS a node goes by its name if it has one beside its
    /// address.
    private Place place(List<?> node, Place guide) {
        String host = text(node.getFirst());
        int port = Math.toIntExact((Long) node.get(1));
        if (address.tls() != null && node.size() > 3 && node.get(3) instanceof List<?> more) {
            int name = more.stream().map(ClusterNodes::text).toList().indexOf("hostname") + 1;
            host = name > 0 && name < more.size() ? text(more.get(name)) : host;
        }
        return new Place(host.isEmpty() || host.equals("?") ? guide.host() : host, port);
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    }

    @Override
    public String explain(String refusal) {
        if (refusal.contains("cluster support disabled") || refusal.contains("unknown command")) {
            return "it is no node of a Cluster: write redis:// for a server";
        }
        return refusal.startsWith("NOPERM")
                ? refusal + ": its user needs +cluster|info and +cluster|slots"
                : refusal;
    }
}
