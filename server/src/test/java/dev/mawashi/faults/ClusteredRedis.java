package dev.mawashi.faults;

import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.List;

/// A Cluster of three masters, each with a replica, in one slot of which the jobs are.
final class ClusteredRedis {
    private static final int JOBS = 800;

    private ClusteredRedis() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of(
                        "F62",
                        "the node with the jobs dies, its replica takes over; a third node dies",
                        ClusteredRedis::killed),
                Scenario.of(
                        "F63",
                        "the slot with the jobs goes to another node, and on, under load",
                        ClusteredRedis::moved),
                Scenario.of(
                        "F64",
                        "queues named a{b}c, {}, }{ in a Cluster",
                        ClusteredRedis::oddQueues));
    }

    /// Of what was written in the last moment the replica may know nothing: those jobs run again.
    private static Promise killed(Rig rig) {
        ClusterForTests cluster = rig.redises().join();
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 8);
        RedisServerForTests owner = cluster.owner(Redises.NAME);
        cluster.awaitReplicas();
        owner.kill();
        rig.await("its replica has the slot", () -> cluster.owner(Redises.NAME) != owner);
        rig.repaired();
        rig.awaitEnded(JOBS);
        cluster.another(Redises.NAME).kill();
        rig.push(JOBS, 5);
        rig.drain();
        return Promise.duplicates(JOBS);
    }

    private static Promise moved(Rig rig) {
        int rounds = Math.max(3, (int) (rig.settings().minutes() * 6));
        ClusterForTests cluster = rig.redises().join();
        rig.serve();
        rig.serve();
        for (int round = 0; round < rounds; round++) {
            long before = rig.ended();
            rig.push(JOBS, 10);
            rig.awaitEnded(before + JOBS / 8);
            RedisServerForTests other = cluster.another(Redises.NAME);
            cluster.beginMove(Redises.NAME, other);
            rig.pause(Duration.ofMillis(300));
            cluster.endMove(Redises.NAME, other);
            rig.repaired();
            rig.awaitEnded(before + JOBS);
        }
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise oddQueues(Rig rig) {
        List<String> queues = List.of("a{b}c", "{}", "}{");
        ClusterForTests _ = rig.redises().join();
        rig.serve("-q", queues.get(0), "-q", queues.get(1), "-q", queues.get(2));
        queues.forEach(queue -> rig.push(queue, JOBS / 8, "[1]"));
        rig.drain();
        return Promise.duplicates(0);
    }
}
