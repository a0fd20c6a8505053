package dev.mawashi.faults;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/// A Redis that is there and refuses: full, read-only, busy, without a password that fits.
final class RefusingRedis {
    private static final int JOBS = 2_000;
    private static final Duration LENGTH = Duration.ofSeconds(4);
    private static final String SPIN =
            "local t = redis.call('TIME')[1] + 3 while redis.call('TIME')[1] + 0 < t do end";

    private RefusingRedis() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of("F40", "SCRIPT FLUSH every 50 ms", RefusingRedis::forgetful).quick(),
                Scenario.of("F41", "BUSY: a script of 2 to 3 s", RefusingRedis::busy).forSidekiq(),
                Scenario.of("F42", "CLIENT KILL of all every 200 ms", RefusingRedis::killing)
                        .forSidekiq()
                        .quick(),
                Scenario.of("F43", "CLIENT PAUSE of all writes for 3 s", RefusingRedis::paused)
                        .forSidekiq(),
                Scenario.of("F44", "OOM: maxmemory reached", RefusingRedis::full)
                        .forSidekiq()
                        .quick(),
                Scenario.of("F44", "OOM, and every job fails", RefusingRedis::fullAndFailing)
                        .forSidekiq(),
                Scenario.of(
                                "F46",
                                "MISCONF: Redis cannot write its file",
                                RefusingRedis::misconfigured)
                        .forSidekiq(),
                Scenario.of("F49", "maxclients: five are let in", RefusingRedis::crowded)
                        .forSidekiq(),
                Scenario.of(
                                "F50",
                                "NOAUTH: a new password, then the old one again",
                                RefusingRedis::withPassword)
                        .forSidekiq(),
                Scenario.of("F51", "FLUSHALL", RefusingRedis::flushed).forSidekiq(),
                Scenario.of(
                                "F55",
                                "NOREPLICAS: min-replicas-to-write not met",
                                rig -> switched(rig, "min-replicas-to-write", "1", "0"))
                        .forSidekiq(),
                Scenario.of("F61", "READONLY: it became a replica", RefusingRedis::readOnly)
                        .forSidekiq()
                        .quick());
    }

    private static void work(Rig rig) {
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
    }

    private static Promise mended(Rig rig) {
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise forgetful(Rig rig) {
        return often(rig, 50, "SCRIPT", "FLUSH");
    }

    private static Promise killing(Rig rig) {
        return often(rig, 200, "CLIENT", "KILL", "TYPE", "normal");
    }

    private static Promise often(Rig rig, int milliseconds, String... command) {
        work(rig);
        for (int i = 0; i < LENGTH.toMillis() / milliseconds; i++) {
            rig.redis().call(command);
            rig.push(2 * milliseconds, 2);
            rig.pause(Duration.ofMillis(milliseconds));
        }
        return mended(rig);
    }

    private static Promise busy(Rig rig) {
        rig.redises().start("--lua-time-limit", "100");
        work(rig);
        rig.redis().call("EVAL", SPIN, "0");
        return mended(rig);
    }

    private static Promise paused(Rig rig) {
        work(rig);
        rig.redis().call("CLIENT", "PAUSE", "3000", "WRITE");
        return mended(rig);
    }

    /// What is there is worked off while it is full; what is enqueued then is refused.
    private static Promise full(Rig rig) {
        rig.serve();
        rig.push(JOBS, 5);
        rig.redis().call("CONFIG", "SET", "maxmemory", "1");
        rig.push(100, 5);
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    /// A retry takes memory as well, and must not be lost for want of it.
    private static Promise fullAndFailing(Rig rig) {
        rig.serve();
        rig.pushArgs(200, "[5,\"fail\"]");
        rig.redis().call("CONFIG", "SET", "maxmemory", "1");
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0).failures(200);
    }

    private static Promise misconfigured(Rig rig) throws IOException {
        work(rig);
        // Its file cannot take the place of a folder.
        Files.createDirectories(rig.redis().folder().resolve("dump.rdb/full"));
        rig.redis().call("CONFIG", "SET", "save", "3600 1");
        rig.redis().call("BGSAVE");
        rig.pause(LENGTH);
        rig.redis().call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
        return mended(rig);
    }

    private static Promise switched(Rig rig, String setting, String bad, String good) {
        work(rig);
        rig.redis().call("CONFIG", "SET", setting, bad);
        rig.pause(LENGTH);
        rig.redis().call("CONFIG", "SET", setting, good);
        return mended(rig);
    }

    private static Promise crowded(Rig rig) {
        work(rig);
        try (RedisConnection before = rig.redis().connect()) {
            before.call("CONFIG", "SET", "maxclients", "5");
            before.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            rig.pause(LENGTH);
            before.call("CONFIG", "SET", "maxclients", "10000");
        }
        return mended(rig);
    }

    private static Promise withPassword(Rig rig) {
        work(rig);
        try (RedisConnection before = rig.redis().connect()) {
            before.call("ACL", "SETUSER", "default", "resetpass", ">other");
            before.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            rig.pause(LENGTH);
            before.call("ACL", "SETUSER", "default", "nopass");
        }
        return mended(rig);
    }

    private static Promise flushed(Rig rig) {
        work(rig);
        rig.redis().call("FLUSHALL");
        rig.repaired();
        rig.push(200, 5);
        rig.drain();
        return Promise.duplicates(0).lost(JOBS);
    }

    private static Promise readOnly(Rig rig) {
        work(rig);
        rig.redis().call("REPLICAOF", "127.0.0.1", "1");
        rig.pause(LENGTH);
        try {
            rig.redis().call("REPLICAOF", "NO", "ONE");
        } catch (RedisFailure e) {
            throw new AssertionError(e);
        }
        return mended(rig);
    }
}
