package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` of server processes with jobs in their hands.
///
/// What a killed process had claimed is read from Redis right after its death, before its lease of
/// two seconds lapses. Only those jobs may start a second time, and none may be missing at the end.
@Tag("long")
final class KillNineIT {
    private static final int SLOTS = 40;

    @TempDir Path folder;

    @Test
    void aSurvivorRunsWhatAKilledProcessHeldOnceMoreAndNothingElseTwice() {
        try (Workplace place = new Workplace(folder)) {
            Child one = serve(place);
            Child two = serve(place);
            awaitBoot(one, two);
            place.pushJobs(50, "long", "GateJob", "[\"gate\"]");
            place.await("50 jobs run", () -> place.ledger().count("start", "GateJob") == 50);
            // Each of the two runs at least ten, and whoever runs fewer has slots left for these.
            place.pushJobs(3_000, "short", "SleepJob", "[0.02]");
            Child victim = longJobs(place, one) < longJobs(place, two) ? one : two;
            place.await(
                    "prefetch is full", () -> place.inHandsOf(victim).size() > SLOTS + SLOTS / 8);
            victim.kill();
            Set<String> inHands = place.inHandsOf(victim);
            place.open("gate");
            awaitAll(place, 3_050);

            checkRuns(place, inHands, 3_050);
            Child survivor = victim == one ? two : one;
            survivor.signal("TERM");
            assertThat(survivor.awaitExit()).as(survivor::log).isZero();
            checkNothingIsLeft(place);
        }
    }

    @Test
    void nothingIsLostInSeveralKillsInARow() {
        try (Workplace place = new Workplace(folder)) {
            List<String> inHands = new ArrayList<>();
            Child server = serve(place);
            for (int kill = 1; kill <= 3; kill++) {
                Child next = serve(place);
                awaitBoot(server, next);
                inHands.addAll(killAtWork(place, server, kill));
                server = next;
            }
            awaitAll(place, 9_000);

            checkRuns(place, inHands, 9_000);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            checkNothingIsLeft(place);
        }
    }

    @Test
    void aNewProcessRecoversWhatTheOnlyOneHeld() {
        try (Workplace place = new Workplace(folder)) {
            Child only = serve(place);
            place.pushJobs(60, "long", "GateJob", "[\"gate\"]");
            place.await("all slots run", () -> place.ledger().count("start", "GateJob") == SLOTS);
            only.kill();
            Set<String> inHands = place.inHandsOf(only);
            place.open("gate");
            Child next = serve(place);
            awaitAll(place, 60);

            assertThat(inHands).hasSizeGreaterThanOrEqualTo(SLOTS);
            checkRuns(place, inHands, 60);
            assertThat(place.ledger().byJid("start")).containsEntry("long0", 2L);
            next.signal("TERM");
            assertThat(next.awaitExit()).as(next::log).isZero();
            checkNothingIsLeft(place);
        }
    }

    private static Set<String> killAtWork(Workplace place, Child server, int kill) {
        long before = ended(place, server);
        place.pushJobs(3_000, "kill" + kill + "short", "SleepJob", "[0.005]");
        place.await("the victim is at work", () -> ended(place, server) >= before + 300);
        server.kill();
        return place.inHandsOf(server);
    }

    private static long ended(Workplace place, Child server) {
        return place.ledger().byPid("end").getOrDefault(server.pid(), 0L);
    }

    private static Child serve(Workplace place) {
        return place.run(Workplace.NO_GEMS, "-c", "" + SLOTS);
    }

    private static void awaitBoot(Child... servers) {
        for (Child server : servers) {
            server.awaitLog("working on");
        }
    }

    private static long longJobs(Workplace place, Child server) {
        return place.ledger().lines("start").stream()
                .filter(line -> line.pid() == server.pid() && line.jobClass().equals("GateJob"))
                .count();
    }

    private static void awaitAll(Workplace place, int jobs) {
        place.await("all jobs run", () -> place.ledger().byJid("end").size() == jobs);
    }

    /// Every job ran to its end, and started at most once more for each kill that it was in hands
    /// at.
    private static void checkRuns(Workplace place, Collection<String> inHands, int jobs) {
        assertThat(place.ledger().byJid("end")).hasSize(jobs);
        assertThat(inHands).isNotEmpty();
        assertThat(place.ledger().byJid("start"))
                .hasSize(jobs)
                .allSatisfy((jid, starts) ->
                        assertThat(starts).isBetween(1L, 1L + Collections.frequency(inHands, jid)));
    }

    private static void checkNothingIsLeft(Workplace place) {
        assertThat(place.number("LLEN", "queue:default")).isZero();
        assertThat(place.number("ZCARD", "retry")).isZero();
        assertThat(place.number("ZCARD", "dead")).isZero();
        // Only the memory of crashes stays for a day, and that of the owners that died for a week.
        assertThat(place.strings("KEYS", "mw:{*}:*").stream().map(Workplace::text))
                .isSubsetOf("mw:{queue:default}:crashes", "mw:{queue:default}:recovered");
    }
}
