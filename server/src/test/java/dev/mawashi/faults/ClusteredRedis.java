package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
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
                        "the node with the jobs dies, its replica takes over; another node dies",
                        ClusteredRedis::killed),
                Scenario.of(
                        "F62",
                        "in a Cluster by turns: a node dies, the slot moves, a server dies",
                        ClusteredRedis::byTurns),
                Scenario.of(
                        "F63",
                        "the slot with the jobs goes to another node, and on, under load",
                        ClusteredRedis::moved),
                Scenario.of(
                        "F63",
                        "a fourth node joins, and all slots of the one with the jobs go there",
                        ClusteredRedis::resharded),
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

    private static Promise byTurns(Rig rig) {
        int rounds = Math.max(3, (int) (rig.settings().minutes() * 6));
        ClusterForTests cluster = rig.redises().join();
        rig.serve();
        Child server = rig.serve();
        for (int round = 0; round < rounds; round++) {
            long before = rig.ended();
            rig.push(JOBS, 10);
            rig.awaitEnded(before + JOBS / 8);
            switch (round % 3) {
                case 0 -> replace(rig, cluster);
                case 1 -> move(rig, cluster);
                default -> {
                    rig.kill(server);
                    server = rig.serve();
                }
            }
            rig.repaired();
            rig.awaitEnded(before + JOBS);
        }
        rig.drain();
        int failovers = (rounds + 2) / 3;
        return Promise.duplicates(failovers * JOBS + 5 * Rig.SLOTS * rounds);
    }

    private static void replace(Rig rig, ClusterForTests cluster) {
        RedisServerForTests owner = cluster.owner(Redises.NAME);
        cluster.awaitReplicas();
        owner.kill();
        rig.await("its replica has the slot", () -> cluster.owner(Redises.NAME) != owner);
        owner.crashAndStart();
        cluster.awaitReady();
    }

    private static void move(Rig rig, ClusterForTests cluster) {
        RedisServerForTests other = cluster.another(Redises.NAME);
        cluster.beginMove(Redises.NAME, other);
        rig.pause(Duration.ofMillis(300));
        cluster.endMove(Redises.NAME, other);
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
            move(rig, cluster);
            rig.repaired();
            rig.awaitEnded(before + JOBS);
        }
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise resharded(Rig rig) {
        ClusterForTests cluster = rig.redises().join();
        rig.serve();
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 8);
        RedisServerForTests fourth = cluster.grow();
        Process resharding = cluster.reshard(cluster.owner(Redises.NAME), fourth);
        while (resharding.isAlive()) {
            long before = rig.ended();
            rig.push(JOBS / 8, 10);
            rig.awaitEnded(before + JOBS / 8);
        }
        if (resharding.exitValue() != 0 || cluster.owner(Redises.NAME) != fourth) {
            throw new AssertionError("the jobs are not on the fourth node");
        }
        rig.push(JOBS, 5);
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
