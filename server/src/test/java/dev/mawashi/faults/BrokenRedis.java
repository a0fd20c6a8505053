package dev.mawashi.faults;

import java.time.Duration;
import java.util.List;

/// A Redis that dies, stands still, forgets, and comes back.
final class BrokenRedis {
    private static final int JOBS = 2_000;

    private BrokenRedis() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F31", "kill -9 of a Redis without persistence", BrokenRedis::forgotten)
                        .forSidekiq(),
                Scenario.of("F32", "kill -9 of Redis, AOF everysec", rig -> killed(rig, "everysec"))
                        .forSidekiq()
                        .quick(),
                Scenario.of("F33", "kill -9 of Redis, AOF always", rig -> killed(rig, "always"))
                        .forSidekiq(),
                Scenario.of("F38", "SIGSTOP of Redis for 1 s", rig -> stopped(rig, 1)).forSidekiq(),
                Scenario.of("F38", "SIGSTOP of Redis for 10 s", rig -> stopped(rig, 10))
                        .forSidekiq());
    }

    private static Promise forgotten(Rig rig) {
        rig.redises().start("--appendonly", "no");
        rig.serve();
        int lost = rig.push(JOBS, 5).size();
        rig.awaitEnded(JOBS / 4);
        rig.redis().kill();
        rig.redis().start();
        rig.repaired();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(0).lost(lost);
    }

    private static Promise killed(Rig rig, String fsync) {
        rig.redises().start("--appendonly", "yes", "--appendfsync", fsync);
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        rig.redis().kill();
        rig.pause(Duration.ofSeconds(1));
        rig.redis().start();
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise stopped(Rig rig, int seconds) {
        rig.serve();
        rig.serve();
        rig.push(JOBS, 20);
        rig.awaitEnded(JOBS / 4);
        rig.redis().signal("STOP");
        rig.pause(Duration.ofSeconds(seconds));
        rig.redis().signal("CONT");
        rig.repaired();
        rig.drain();
        // Longer than a lease or not: all have time to renew theirs when it is back.
        return Promise.duplicates(0);
    }
}
