package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import java.time.Duration;
import java.util.List;

/// A Redis that is another one all of a sudden: an older state of itself, or its replica.
final class PastRedis {
    private static final int JOBS = 2_000;

    private PastRedis() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F65", "restart from an older RDB file", PastRedis::rolledBack)
                        .forSidekiq(),
                Scenario.of("F54", "master stops, replica takes its place", PastRedis::promoted),
                Scenario.of(
                        "F60", "FAILOVER to the replica and back, three times", PastRedis::swapped),
                Scenario.of(
                                "F57",
                                "kill -9 of a master without persistence: it empties its replica",
                                PastRedis::emptied)
                        .forSidekiq(),
                Scenario.of(
                                "F58",
                                "idle while Redis becomes a replica: UNBLOCKED",
                                PastRedis::unblocked)
                        .forSidekiq());
    }

    /// What ended since the file was written runs again: Redis knows nothing of it.
    private static Promise rolledBack(Rig rig) {
        Child server = rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        long ended = rig.ended();
        rig.redis().call("SAVE");
        rig.awaitEnded(ended + JOBS / 4);
        rig.redis().kill();
        // What it had in hand goes on meanwhile.
        rig.pause(Duration.ofSeconds(1));
        long begun = rig.begun();
        rig.redis().start();
        rig.repaired();
        rig.drain();
        if (!server.isAlive()) {
            throw new AssertionError("the server has ended");
        }
        return Promise.duplicates((int) (begun - ended));
    }

    /// What runs is put in flight again, and the log says what has happened.
    private static Promise emptied(Rig rig) {
        Child server = rig.serve();
        RealRedis replica = rig.redises().replica();
        rig.pushGated(1);
        rig.push(JOBS, 5);
        rig.awaitEnded(JOBS / 4);
        rig.redis().kill();
        rig.redis().start();
        rig.await("the replica follows", () -> replica.isInStep());
        if (!rig.settings().isSidekiq()) {
            server.awaitLog("Redis went back in time");
        }
        rig.openGate();
        rig.repaired();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(0).lost(JOBS);
    }

    private static Promise unblocked(Rig rig) {
        rig.serve();
        rig.push(50, 5);
        rig.awaitEnded(50);
        rig.pause(Duration.ofSeconds(1));
        rig.redis().call("REPLICAOF", "127.0.0.1", "1");
        rig.pause(Duration.ofSeconds(1));
        rig.redis().call("REPLICAOF", "NO", "ONE");
        rig.repaired();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise promoted(Rig rig) {
        rig.link();
        rig.serve();
        RealRedis replica = rig.redises().replica();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        rig.redis().call("WAIT", "1", "5000");
        RealRedis master = rig.redis();
        master.signal("STOP");
        replica.call("REPLICAOF", "NO", "ONE");
        rig.redises().pointTo(replica);
        rig.repaired();
        rig.drain();
        // Settled on the master in its last moment, and not told to the replica.
        return Promise.duplicates(5 * Rig.SLOTS);
    }

    private static Promise swapped(Rig rig) {
        rig.link();
        rig.serve();
        RealRedis replica = rig.redises().replica();
        rig.push(JOBS, 10);
        for (int round = 1; round <= 3; round++) {
            rig.awaitEnded((long) round * JOBS / 5);
            RealRedis master = rig.redis();
            RealRedis next = replica;
            master.call("FAILOVER");
            rig.await("the replica is master", () -> !next.isReplica());
            rig.redises().pointTo(next);
            rig.repaired();
            replica = master;
            rig.await("the master follows", () -> master.isInStep());
        }
        rig.drain();
        return Promise.duplicates(0);
    }
}
