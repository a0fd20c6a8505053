package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import dev.mawashi.redis.RedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A key of a wrong type in the place of each that a server uses: another queue's jobs go on, and
/// once it is deleted all goes on. What such a key takes away is nothing, since it comes where
/// nothing is; deleting it by hand loses what is in it, whatever that is.
final class WrongKeys {
    private static final int JOBS = 30;

    /// As many that they would take minutes, did each claim wait for the wrong key.
    private static final int OTHERS = 2_000;

    /// Longer than a beat, and than metrics are held back.
    private static final Duration BEAT = Duration.ofSeconds(7);

    private WrongKeys() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F52", "wrong type: each key of one queue", WrongKeys::ofQueue),
                Scenario.of("F52", "wrong type: retry, schedule, dead", WrongKeys::ofSets),
                Scenario.of(
                        "F52",
                        "wrong type: names, records, counters, turns, cancels",
                        WrongKeys::ofProcess));
    }

    private static Promise ofQueue(Rig rig) {
        Child server = rig.serve("-q", "default", "-q", "odd");
        rig.push("odd", JOBS, "[1]");
        rig.awaitEnded(JOBS);
        String own = "mw:{queue:odd}:";
        String owner = rig.texts("ZRANGE", own + "leases", "0", "-1").getFirst();
        List<String> keys = new ArrayList<>(List.of("queue:odd"));
        for (String kind :
                List.of("leases", "arrivals", "recovered", "crashes", "suspects", "alone")) {
            keys.add(own + kind);
        }
        keys.add(own + "inflight:" + owner);
        for (String key : keys) {
            rig.await("nothing is there: " + key, () -> isIdle(rig, own));
            try (RedisConnection connection = rig.redis().connect()) {
                connection.call("DEL", key);
                connection.call("SET", key, "of a wrong type");
            }
            rig.push("odd", JOBS, "[1]");
            othersGoOn(rig, key);
            rig.redis().call("DEL", key);
            rig.await("all goes on once it is deleted: " + key, () -> rig.waiting() == 0);
        }
        rig.drain();
        server.awaitLog("nothing can be claimed from the queues [odd], ");
        server.awaitLog("jobs can be claimed again from the queues [odd]");
        living(server);
        return Promise.duplicates(0);
    }

    private static boolean isIdle(Rig rig, String own) {
        return rig.texts("KEYS", own + "inflight:*").isEmpty()
                && rig.redis().call("LLEN", "queue:odd").equals(0L)
                && rig.redis().call("EXISTS", own + "arrivals").equals(0L);
    }

    /// Jobs of the other queue.
    private static void othersGoOn(Rig rig, String key) {
        List<String> jids = rig.push("default", OTHERS, "[1]");
        rig.await(
                "others go on beside " + key,
                () -> rig.ledger().byJid("end").keySet().containsAll(jids));
    }

    private static void living(Child server) {
        if (!server.isAlive()) {
            throw new AssertionError("the server has ended");
        }
    }

    /// Outcomes that cannot be written are set aside, and written later.
    private static Promise ofSets(Rig rig) {
        Child server = rig.serve();
        for (String key : List.of("retry", "schedule", "dead")) {
            rig.redis().call("SET", key, "of a wrong type");
        }
        rig.push("default", JOBS, "[1,\"fail\"]");
        rig.redis().call("LPUSH", "queue:default", "no job");
        othersGoOn(rig, "retry, schedule, dead");
        rig.redis().call("DEL", "retry", "schedule", "dead");
        rig.await("failures are written", () -> rig.redis().call("ZCARD", "retry").equals(30L));
        rig.await("the odd one is buried", () -> rig.redis().call("ZCARD", "dead").equals(1L));
        rig.redis().call("DEL", "dead");
        rig.pushLater(JOBS, 0.5);
        rig.drain();
        living(server);
        return Promise.duplicates(0).failures(JOBS);
    }

    private static Promise ofProcess(Rig rig) {
        Child server = rig.serve();
        rig.push("default", JOBS, "[1,\"fail\"]");
        rig.push("default", JOBS, "[1]");
        rig.awaitEnded(JOBS);
        rig.await("a beat", () -> !rig.texts("SMEMBERS", "processes").isEmpty());
        String identity = rig.texts("SMEMBERS", "processes").getFirst();
        List<String> keys = keysOfProcess(identity);
        for (String key : keys) {
            try (RedisConnection connection = rig.redis().connect()) {
                connection.call("DEL", key);
                connection.call("XADD", key, "*", "wrong", "type");
            }
        }
        othersGoOn(rig, "those of a process");
        rig.push("default", JOBS, "[1,\"fail\"]");
        rig.pause(BEAT);
        othersGoOn(rig, "those of a process");
        keys.forEach(key -> rig.redis().call("DEL", key));
        rig.pushLater(JOBS, 0.5);
        othersGoOn(rig, "nothing");
        rig.await(
                "the process is known again",
                () -> rig.texts("SMEMBERS", "processes").contains(identity));
        rig.drain();
        living(server);
        return Promise.duplicates(0).failures(2 * JOBS);
    }

    private static List<String> keysOfProcess(String identity) {
        return List.of(
                "queues",
                "processes",
                "process_cleanup",
                "paused",
                "stat:processed",
                "stat:failed",
                "mw:queues",
                "mw:scheduler",
                "mw:scheduler:left",
                "mw:cancelled",
                "mw:metrics:" + identity,
                identity,
                identity + ":work",
                identity + ":workers",
                identity + "-signals");
    }
}
