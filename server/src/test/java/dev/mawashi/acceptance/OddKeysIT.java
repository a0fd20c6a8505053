package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each key that a server touches is of a wrong type, under load, while replies are lost: all other
/// queues go on, and what stood still does so again once the key is put right. Which keys there are
/// Redis says.
///
/// Long: a campaign over all keys; ScriptMatrixIT has each script with each of its keys.
@Tag("long")
final class OddKeysIT {
    /// More than there are kinds of keys of a queue.
    private static final int ODD_MAX = 14;

    /// In one step each, since the server goes on meanwhile.
    private static final String SPOIL =
            "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end"
                    + " redis.call('SET', KEYS[1], 'of a wrong type') return 1";

    private static final String PUT_RIGHT =
            "redis.call('DEL', KEYS[1]) if redis.call('EXISTS', KEYS[2]) == 1 then"
                    + " redis.call('RENAME', KEYS[2], KEYS[1]) end return 1";

    private static final String PROBE = "mw:{queue:probe}:";
    private static final int JOBS = 20;

    @TempDir Path folder;

    private Workplace place;
    private int pushed;

    @Test
    void noKeyOfAWrongTypeStopsAnotherQueue() {
        try (Workplace opened = new Workplace(folder)) {
            place = opened;
            Set<String> keys;
            Child server;
            try (TouchedKeys touched = new TouchedKeys(RedisAddress.parse(place.redisUrl()))) {
                server = serve();
                everythingOnce();
                keys = touched.keys();
            }
            List<String> kinds = kinds(keys);
            assertThat(kinds).hasSizeBetween(7, ODD_MAX);
            spoilOneKeyOfEachQueue(kinds);

            List<String> others =
                    keys.stream().filter(key -> !key.contains("queue:")).sorted().toList();
            assertThat(others).contains("schedule", "retry", "mw:queues", "processes");
            for (String key : others) {
                spoil(key);
                goodOnesGoOn("with a wrong " + key);
                putRight(key);
            }
            everythingOnce();
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    private Child serve() {
        List<String> flags = new ArrayList<>(List.of("-c", "4", "-q", "probe", "-q", "good"));
        IntStream.range(0, ODD_MAX).forEach(i -> flags.addAll(List.of("-q", "odd" + i)));
        Child server = place.runOnMri(Workplace.NO_GEMS, flags.toArray(String[]::new));
        return server.awaitLog("working on");
    }

    /// Done, retried, buried, due, and run alone.
    private void everythingOnce() {
        String run = "once" + ++pushed;
        String suspect = new String(job("PlainJob", run + "suspect", "\"retry\":1"), UTF_8);
        place.number("RPUSH", PROBE + "suspects", suspect);
        String due = new String(job("PlainJob", run + "due", "\"queue\":\"probe\""), UTF_8);
        place.number("ZADD", "schedule", "1", due);
        long dead = place.number("ZCARD", "dead");
        long retry = place.number("ZCARD", "retry");
        push("probe", job("PickyJob", run + "dead", "\"retry\":0"));
        push("probe", job("PickyJob", run + "retry", "\"retry\":5"));
        place.await("one is buried", () -> place.number("ZCARD", "dead") == dead + 1);
        place.await("one is retried", () -> place.number("ZCARD", "retry") == retry + 1);
        place.await("one was due", () -> hasEnded(run + "due"));
        place.await("one ran alone", () -> hasEnded(run + "suspect"));
    }

    private static byte[] job(String jobClass, String jid, String fields) {
        return ("{\"class\":\""
                        + jobClass
                        + "\",\"args\":[],\"jid\":\""
                        + jid
                        + "\","
                        + fields
                        + "}")
                .getBytes(UTF_8);
    }

    private void push(String queue, byte[] payload) {
        place.number("LPUSH", "queue:" + queue, new String(payload, UTF_8));
    }

    private boolean hasEnded(String jid) {
        return place.ledger().byJid("end").containsKey(jid);
    }

    /// What a queue has for keys, with `OWNER` in place of the server's name.
    private static List<String> kinds(Set<String> keys) {
        Set<String> kinds = new TreeSet<>(Set.of("queue:QUEUE"));
        for (String key : keys) {
            if (key.startsWith(PROBE)) {
                kinds.add(key.replace("probe", "QUEUE").replaceFirst("(}:\\w+:).*", "$1OWNER"));
            }
        }
        return List.copyOf(kinds);
    }

    private void spoilOneKeyOfEachQueue(List<String> kinds) {
        String owner =
                Workplace.text(place.strings("ZRANGE", PROBE + "leases", "0", "-1").getFirst());
        Map<String, String> spoiled = new TreeMap<>();
        for (int i = 0; i < kinds.size(); i++) {
            String queue = "odd" + i;
            spoiled.put(queue, kinds.get(i).replace("QUEUE", queue).replace("OWNER", owner));
        }
        // With work in each queue, or nothing would be read there.
        spoiled.keySet()
                .forEach(queue -> push(queue, job("PlainJob", queue + "before", "\"a\":1")));
        spoiled.values().forEach(this::spoil);
        spoiled.forEach((queue, key) -> {
            if (!key.equals("queue:" + queue)) {
                push(queue, job("PlainJob", queue + "beside", "\"a\":1"));
            }
        });
        goodOnesGoOn("with " + spoiled.values());
        goodOnesGoOn("with " + spoiled.values());

        spoiled.values().forEach(this::putRight);
        spoiled.keySet().forEach(queue -> push(queue, job("PlainJob", queue + "after", "\"a\":1")));
        for (String when : List.of("before", "beside", "after")) {
            Set<String> all =
                    spoiled.keySet().stream()
                            .filter(queue ->
                                    !when.equals("beside")
                                            || !spoiled.get(queue).equals("queue:" + queue))
                            .map(queue -> queue + when)
                            .collect(Collectors.toCollection(TreeSet::new));
            place.await(
                    "all go on with what came " + when + ": " + spoiled,
                    () -> place.ledger().byJid("end").keySet().containsAll(all));
        }
    }

    private void spoil(String key) {
        place.number("EVAL", SPOIL, "2", key, "aside:" + key);
    }

    private void putRight(String key) {
        place.number("EVAL", PUT_RIGHT, "2", key, "aside:" + key);
    }

    /// Jobs of the good queue, between which all connections are cut, whatever is under way.
    private void goodOnesGoOn(String when) {
        String batch = "good" + ++pushed + "-";
        for (int i = 0; i < JOBS; i++) {
            push("good", job("PlainJob", batch + i, "\"a\":1"));
            if (i % 7 == 3) {
                place.number("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            }
        }
        place.await(
                "the good queue goes on " + when,
                () ->
                        place.ledger().byJid("end").keySet().stream()
                                        .filter(jid -> jid.startsWith(batch))
                                        .count()
                                == JOBS);
    }
}
