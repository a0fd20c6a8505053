package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of a thousand locks on two servers, of mri and of jruby, of which one after the other is
/// killed, or a child of the one on mri, while a process of the app enqueues. Each lock is free in
/// the end, and no job came in while an equal one was not over. `UniqueIT` has one kill.
///
/// `-Dunique.seconds=600` has it go on for that long.
@Tag("long")
final class UniqueKillsIT {
    private static final Path RUBY = Path.of("../ruby/src/main/ruby").toAbsolutePath();
    private static final String APP = Programs.SCRIPTS.resolve("unique_kills.rb").toString();
    private static final int KILLS = 4;

    /// How many keys have jobs.
    private static final String JOBS =
            """
            local keys = redis.call('EXISTS', 'queue:default', 'retry', 'schedule')
            for _, kind in ipairs({'inflight:*', 'suspects', 'arrivals:*'}) do
              keys = keys + #redis.call('KEYS', 'mw:{queue:*}:' .. kind)
            end
            return keys
            """;

    @TempDir Path folder;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private int kills;
    private long mostLocks;

    /// A job that came in, by a clock of the machine in seconds.
    ///
    /// @param asked before it was pushed
    /// @param in after it was pushed
    /// @param over when its last run was over
    private record Stay(String jid, String key, double asked, double in, double over) {
        /// Whether another surely came in while this surely had not ended.
        boolean isBrokenBy(Stay other) {
            return other.asked >= in && other.in <= over;
        }
    }

    @Test
    void noLockIsStuckAndNoneIsBroken() {
        try (Workplace place = new Workplace(folder)) {
            Child client =
                    place.start("client", List.of("ruby", APP), Map.of("RUBYLIB", RUBY.toString()));
            client.awaitLog("enqueues");
            Child[] servers = {serve(place, "mri"), serve(place, "jruby")};
            for (Child server : servers) {
                server.awaitLog("working on");
            }
            long end = System.nanoTime() + Duration.ofSeconds(seconds()).toNanos();
            while (kills < KILLS || System.nanoTime() < end) {
                awaitJobs(place, 20 + random.nextInt(300));
                kill(place, servers);
                kills++;
            }
            client.endInput();
            client.awaitLog("came in");
            place.await("all jobs end", () -> isAtRest(place));
            check(place, client);
        }
    }

    private static int seconds() {
        return Integer.getInteger("unique.seconds", 30);
    }

    private static Child serve(Workplace place, String runner) {
        return place.mawashi(
                Workplace.NO_GEMS,
                "run",
                "-r",
                APP,
                "--runner",
                runner,
                "--lease",
                "5",
                "--sweep",
                "0.5",
                "-c",
                "6");
    }

    private void awaitJobs(Workplace place, int more) {
        long before = place.ledger().count("over", "KeyJob");
        place.await("jobs end", () -> place.ledger().count("over", "KeyJob") >= before + more);
        mostLocks = Math.max(mostLocks, place.number("HLEN", "mw:locks"));
    }

    /// The server on mri, that on jruby, or a child of the one on mri. One of them is stopped as in
    /// a deploy at times.
    private void kill(Workplace place, Child[] servers) {
        int which = kills % 3;
        if (which < 2) {
            boolean isStop = kills % 5 == 4;
            if (isStop) {
                servers[which].awaitLog("working on");
            }
            servers[which].signal(isStop ? "TERM" : "KILL");
            assertThat(servers[which].awaitExit() == 0).isEqualTo(isStop);
            servers[which] = serve(place, which == 0 ? "mri" : "jruby");
        } else {
            ProcessHandle.of(servers[0].pid())
                    .flatMap(server -> server.descendants().reduce((_, last) -> last))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /// In one step: a job that moves between two looks would be in neither.
    private static boolean isAtRest(Workplace place) {
        return place.number("EVAL", JOBS, "0") == 0;
    }

    private void check(Workplace place, Child client) {
        assertThat(place.strings("HGETALL", "mw:locks").stream().map(Workplace::text))
                .as("locks of jobs that are gone, seed " + seed)
                .isEmpty();
        assertThat(place.number("ZCARD", "dead")).isZero();
        List<Stay> stays = stays(place);
        assertThat(stays).allMatch(stay -> stay.over > 0);
        List<String> broken = new ArrayList<>();
        stays.stream()
                .collect(Collectors.groupingBy(Stay::key))
                .values()
                .forEach(equal -> addBroken(equal, broken));
        assertThat(broken).as("seed " + seed).isEmpty();
        assertThat(mostLocks).isGreaterThan(100);
        System.err.printf(
                "%d kills, %s, at most %d locks, %d runs over twice%n",
                kills,
                client.logLines().getLast(),
                mostLocks,
                place.ledger().byJid("over").values().stream().filter(count -> count > 1).count());
    }

    private static void addBroken(List<Stay> equal, List<String> broken) {
        for (Stay one : equal) {
            equal.stream()
                    .filter(other -> other != one && one.isBrokenBy(other))
                    .forEach(other -> broken.add(one + " by " + other));
        }
    }

    private static List<Stay> stays(Workplace place) {
        Map<String, Double> over = new HashMap<>();
        place.ledger()
                .lines("over")
                .forEach(line ->
                        over.merge(
                                line.subject(),
                                Double.parseDouble(line.rest().split(" ", 2)[1]),
                                Math::max));
        return place.ledger().lines("pushed").stream()
                .map(line -> {
                    String[] words = line.rest().split(" ", 3);
                    return new Stay(
                            line.subject(),
                            words[0],
                            Double.parseDouble(words[1]),
                            Double.parseDouble(words[2]),
                            over.getOrDefault(line.subject(), 0.0));
                })
                .toList();
    }
}
