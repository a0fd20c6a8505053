package dev.mawashi.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mawashi.acceptance.Child;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Files of Redis that a power failure has cut, that are damaged, or that take long to load.
final class BrokenFiles {
    private static final int JOBS = 2_000;
    private static final int LATE_JOBS = 300;
    private static final int FILLERS = 1_500;

    /// Longer than any command, so that it cannot lie within a payload.
    private static final int DAMAGE_BYTES = 1_000;

    private BrokenFiles() {}

    static List<Scenario> all() {
        return List.of(
                Scenario.of(
                                "F34",
                                "power cut, AOF everysec: the last 2 s are missing",
                                BrokenFiles::cut)
                        .forSidekiq(),
                Scenario.of(
                                "F35",
                                "power cut, AOF always: half a command at the end",
                                BrokenFiles::torn)
                        .forSidekiq(),
                Scenario.of("F36", "AOF damaged in the middle, then mended", BrokenFiles::damaged)
                        .forSidekiq(),
                Scenario.of("F47", "each sync of the AOF takes 0.3 s", BrokenFiles::slow)
                        .with("strace")
                        .forSidekiq(),
                Scenario.of("F48", "a sync of the AOF fails: Redis ends", BrokenFiles::failing)
                        .with("strace")
                        .forSidekiq(),
                Scenario.of("F37", "Redis loads for seconds: LOADING", BrokenFiles::loading)
                        .forSidekiq());
    }

    /// A file is on disk as it was at the last sync, so a cut takes what came later. Jobs that were
    /// sent later are gone, and what ended later may run again.
    private static Promise cut(Rig rig) {
        rig.redises().start("--appendonly", "yes", "--appendfsync", "everysec");
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        long ended = rig.ended();
        long size = rig.redis().logSize();
        rig.push(LATE_JOBS, 10);
        rig.pause(Duration.ofSeconds(2));
        rig.redis().kill();
        // What the server has in hand goes on meanwhile.
        rig.pause(Duration.ofSeconds(1));
        long begun = rig.begun();
        rig.redis().cutLog(size);
        rig.redis().start();
        rig.repaired();
        rig.drain();
        return Promise.duplicates((int) (begun - ended)).lost(LATE_JOBS);
    }

    /// All that was acknowledged is on disk; what was not may be there in part.
    private static Promise torn(Rig rig) {
        rig.redises().start("--appendonly", "yes", "--appendfsync", "always");
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        rig.redis().kill();
        rig.redis()
                .damageLog(
                        rig.redis().logSize(),
                        "*3\r\n$5\r\nLPUSH\r\n$13\r\nqueue:d".getBytes(US_ASCII));
        rig.redis().start();
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    /// Redis refuses to start, the server waits. Its tool cuts all that comes behind the damage.
    private static Promise damaged(Rig rig) throws IOException, InterruptedException {
        rig.redises().start("--appendonly", "yes", "--appendfsync", "everysec");
        Child server = rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        long ended = rig.ended();
        long from = rig.redis().logSize();
        rig.awaitEnded(JOBS / 2);
        rig.redis().kill();
        byte[] damage = new byte[DAMAGE_BYTES];
        Arrays.fill(damage, (byte) '?');
        rig.redis().damageLog(from + (rig.redis().logSize() - from) / 2, damage);
        if (rig.redis().startsAnew()) {
            throw new AssertionError("Redis has started with a damaged log");
        }
        if (!rig.settings().isSidekiq()) {
            server.awaitLog("waiting for Redis");
        }
        rig.pause(Duration.ofSeconds(2));
        long begun = rig.begun();
        rig.redis().mendLog();
        rig.redis().start();
        rig.repaired();
        rig.drain();
        return Promise.duplicates((int) (begun - ended));
    }

    private static Promise slow(Rig rig) throws IOException {
        rig.redises().start("--appendonly", "yes", "--appendfsync", "always");
        rig.serve();
        rig.serve();
        rig.redis().breakSyncs("delay_enter=300000");
        rig.push(JOBS / 4, 5);
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise failing(Rig rig) throws IOException {
        rig.redises().start("--appendonly", "yes", "--appendfsync", "always");
        rig.serve();
        rig.push(JOBS, 10);
        rig.awaitEnded(JOBS / 4);
        rig.redis().breakSyncs("error=EIO");
        rig.redis().awaitEnd();
        rig.redis().start();
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    private static Promise loading(Rig rig) {
        rig.redises().start("--appendonly", "yes");
        try (RedisConnection connection = rig.redis().connect()) {
            for (int i = 0; i < FILLERS; i++) {
                connection.queue(word("SET"), word("filler:" + i), word("x"));
            }
            connection.flush();
        }
        // Redis answers while it loads a snapshot, which then is the first part of its log.
        rig.redis().call("BGREWRITEAOF");
        rig.serve();
        rig.serve();
        rig.push(JOBS, 20);
        rig.awaitEnded(JOBS / 4);
        rig.redis().kill();
        if (!rig.redis()
                .startsAnew(
                        "--key-load-delay",
                        "3000",
                        "--loading-process-events-interval-bytes",
                        "1024")) {
            throw new AssertionError("Redis does not start");
        }
        rig.repaired();
        rig.drain();
        return Promise.duplicates(0);
    }

    private static byte[] word(String text) {
        return text.getBytes(US_ASCII);
    }
}
