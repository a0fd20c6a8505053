package dev.mawashi.faults;

import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.SentinelsForTests;
import java.util.List;

/// A Redis that Sentinels watch, and another that they elect.
final class ElectedRedis {
    private static final int JOBS = 800;

    private ElectedRedis() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of(
                        "F53",
                        "Sentinels elect another: FAILOVER, kill -9, SIGSTOP by turns",
                        ElectedRedis::elected),
                Scenario.of(
                        "F59",
                        "all Sentinels die, the master lives",
                        ElectedRedis::withoutSentinels));
    }

    private static Promise elected(Rig rig) {
        int rounds = Math.max(3, (int) (rig.settings().minutes() * 3));
        SentinelsForTests sentinels = rig.redises().elect(2);
        rig.serve();
        for (int round = 0; round < rounds; round++) {
            long before = rig.ended();
            rig.push(JOBS, 10);
            rig.redises().awaitReplicas();
            rig.awaitEnded(before + JOBS / 8);
            RealRedis master = rig.redis();
            switch (round % 3) {
                case 0 -> sentinels.failover();
                case 1 -> master.kill();
                default -> master.signal("STOP");
            }
            rig.await("another is elected", () -> rig.redises().haveElected(master));
            rig.repaired();
            long ended = rig.ended();
            rig.push(JOBS / 8, 5);
            rig.awaitEnded(ended + JOBS / 8);
            follow(rig, master, round % 3);
            sentinels.awaitReady(2);
        }
        rig.drain();
        // Settled in a master's last moment, and not known to the replica. One that lives goes on
        // as a master until its clients hear of the other.
        int failovers = (rounds + 2) / 3;
        return Promise.duplicates(failovers * JOBS + 5 * Rig.SLOTS * rounds);
    }

    /// Has the old master come back, as a replica.
    private static void follow(Rig rig, RealRedis master, int fault) {
        if (fault == 1) {
            master.start("--replicaof", "127.0.0.1 " + rig.redis().address().port());
        } else if (fault == 2) {
            master.signal("CONT");
        }
        rig.await("the old master follows", () -> follows(master));
    }

    /// A Sentinel that makes a replica of it cuts all connections.
    private static boolean follows(RealRedis master) {
        try {
            return master.isReplica() && master.isInStep();
        } catch (RedisFailure _) {
            return false;
        }
    }

    private static Promise withoutSentinels(Rig rig) {
        SentinelsForTests sentinels = rig.redises().elect(1);
        rig.serve();
        rig.push(JOBS, 5);
        rig.awaitEnded(JOBS / 4);
        sentinels.killAll();
        rig.awaitEnded(JOBS);
        rig.push(JOBS, 5);
        rig.drain();
        return Promise.duplicates(0);
    }
}
