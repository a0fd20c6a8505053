package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What TERM and TSTP do to a real process and to the jobs in its hands.
final class StopIT {
    @TempDir Path folder;

    @Test
    void jobsThatOutlastTheTimeoutGoBackToTheHeadInTheirOrderAndRunOnceMore() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Workplace.DEBIAN_GEMS, "-c", "6", "-t", "0.5");
            place.pushJobs(20, "short", "PlainJob", "[]");
            place.pushJobs(5, "long", "GateJob", "[\"gate\"]");
            place.pushJobs(1, "stubborn", "StubbornJob", "[\"gate\"]");
            place.await("it holds a slot", () -> place.ledger().byJid("start").size() == 26);
            place.pushJobs(20, "behind", "PlainJob", "[]");
            Ledger ledger = place.ledger();
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.queued())
                    .containsExactlyElementsOf(
                            Stream.of(jids("long", 5), jids("stubborn", 1), jids("behind", 20))
                                    .flatMap(jids -> jids)
                                    .toList());
            assertThat(ledger.byJid("cut").keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(jids("long", 5), jids("stubborn", 1)).toList());
            checkNothingIsHeld(place);
            // As by Sidekiq a run that was cut counts; one that did not end does not.
            assertThat(place.integer("GET", "stat:processed")).isEqualTo(25);
            assertThat(place.integer("GET", "stat:failed")).isEqualTo(5);

            place.open("gate");
            Child next = place.runOnMri(Workplace.NO_GEMS, "-c", "5");
            place.await("all jobs run", () -> ledger.byJid("end").size() == 46);
            assertThat(ledger.byJid("end").values()).containsOnly(1L);
            assertThat(ledger.byJid("start"))
                    .allSatisfy((jid, starts) ->
                            assertThat(starts).isEqualTo(jid.matches("(long|stubborn).") ? 2 : 1));
            next.signal("INT");
            assertThat(next.awaitExit()).as(next::log).isZero();
        }
    }

    @Test
    void signalsThatAreNoStopLeaveTheJobsAloneAndIntLetsThemEnd() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Workplace.NO_GEMS, "-c", "2");
            place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
            Ledger ledger = place.ledger();
            place.await("it runs", () -> ledger.count("start", "GateJob") == 1);

            server.signal("TTIN");

            server.awaitLog("has run GateJob long0 of queue \"default\" for ");
            server.awaitLog("app.rb:");
            assertThat(server.log()).contains("TTIN: running now: 1").contains("mawashi-slot-");
            server.signal("HUP");
            server.awaitLog("HUP is ignored");
            server.signal("USR1");
            server.awaitLog("USR1 is ignored");
            server.signal("USR2");
            server.signal("QUIT");
            server.awaitLog("Full thread dump");
            place.pushJobs(1, "next", "PlainJob", "[]");
            place.await("it still claims", () -> ledger.count("end", "PlainJob") == 1);

            server.signal("INT");
            server.awaitLog("INT: stopping");
            place.open("gate");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(ledger.count("end", "GateJob")).isOne();
            assertThat(ledger.lines("cut")).isEmpty();
            assertThat(place.queued()).isEmpty();
            checkNothingIsHeld(place);
        }
    }

    @Test
    void aQuietProcessClaimsNoMoreAndGivesBackWhatItHasNotStarted() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "20");
            Ledger ledger = place.ledger();
            place.pushJobs(5, "long", "GateJob", "[\"gate\"]");
            place.await("the long ones run", () -> ledger.count("start", "GateJob") == 5);
            place.pushJobs(4_000, "short", "SleepJob", "[0.01]");
            place.await("prefetch is full", () -> place.inHandsOf(server).size() > 24);
            server.signal("TSTP");
            server.awaitLog("TSTP: claiming no more");
            place.await("only long jobs are left", () -> place.inHandsOf(server).size() == 5);
            place.pushJobs(10, "late", "PlainJob", "[]");
            place.open("gate");
            place.await("long jobs end", () -> ledger.count("end", "GateJob") == 5);
            place.await("their acks are in", () -> place.inHandsOf(server).isEmpty());
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            Set<String> ended = ledger.byJid("end").keySet();
            List<String> queued = place.queued();
            assertThat(ledger.lines("start")).hasSameSizeAs(ended);
            assertThat(queued).doesNotContainAnyElementsOf(ended).doesNotHaveDuplicates();
            assertThat(queued).endsWith(jids("late", 10).toArray(String[]::new));
            assertThat(ended).hasSize(4_015 - queued.size());
            assertThat(queued)
                    .containsExactlyElementsOf(
                            Stream.concat(jids("short", 4_000), jids("late", 10))
                                    .filter(jid -> !ended.contains(jid))
                                    .toList());
            checkNothingIsHeld(place);
        }
    }

    /// The process of Ruby is stopped while it gets jobs, so that it has begun none of them.
    @Test
    void jobsOfASlowChildAreNotOvertakenAsTheyGoBack() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "20");
            Ledger ledger = place.ledger();
            place.pushJobs(1, "long", "GateJob", "[\"gate\"]");
            place.await("it runs", () -> ledger.count("start", "GateJob") == 1);
            server.signalDescendants("STOP");
            place.pushJobs(60, "short", "SleepJob", "[0.01]");
            place.await("some wait for the child", () -> place.inHandsOf(server).size() > 20);
            server.signal("TSTP");
            server.awaitLog("TSTP: claiming no more");
            server.signalDescendants("CONT");
            place.await("the rest is back", () -> place.inHandsOf(server).size() == 1);

            Set<String> ended = ledger.byJid("end").keySet();
            assertThat(place.queued())
                    .containsExactlyElementsOf(
                            jids("short", 60).filter(jid -> !ended.contains(jid)).toList());
            place.open("gate");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    @EachOf({"TERM", "INT"})
    void aStopDuringBootEndsTheProcessBeforeItWorks(String signal) {
        try (Workplace place = new Workplace(folder)) {
            Path app = Path.of(Workplace.APP).resolveSibling("slow_boot.rb");
            Child server = place.mawashi(Workplace.NO_GEMS, "run", "-r", app.toString());
            place.pushJobs(10, "job", "PlainJob", "[]");
            place.await("the app loads", () -> !place.ledger().lines("loading").isEmpty());
            server.signal(signal);
            server.awaitLog(signal + ": stopping");
            place.open("loaded");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("working on");
            assertThat(place.queued()).hasSize(10);
            assertThat(place.ledger().lines("start")).isEmpty();
            assertThat(place.number("EXISTS", "processes")).isZero();
            checkNothingIsHeld(place);
        }
    }

    @EachOf({"mri", "jruby"})
    void aStopEndsAProcessWhoseAppNeverLoads(String runner) {
        try (Workplace place = new Workplace(folder)) {
            String app = Path.of(Workplace.APP).resolveSibling("slow_boot.rb").toString();
            Child server = place.mawashi(Workplace.NO_GEMS, "run", "-r", app, "--runner", runner);
            place.pushJobs(10, "job", "PlainJob", "[]");
            place.await("the app loads", () -> !place.ledger().lines("loading").isEmpty());
            List<ProcessHandle> children =
                    ProcessHandle.of(server.pid()).orElseThrow().descendants().toList();
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).contains("the app still loads: ending all the same");
            place.await(
                    "its children end", () -> children.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(place.queued()).hasSize(10);
        }
    }

    /// Long: the stop during the boot goes the same way.
    @Tag("long")
    @Test
    void aQuietDuringBootLetsItClaimNothing() {
        try (Workplace place = new Workplace(folder)) {
            Path app = Path.of(Workplace.APP).resolveSibling("slow_boot.rb");
            Child server = place.mawashi(Workplace.NO_GEMS, "run", "-r", app.toString());
            place.pushJobs(10, "job", "PlainJob", "[]");
            place.await("the app loads", () -> !place.ledger().lines("loading").isEmpty());
            server.signal("TSTP");
            server.awaitLog("TSTP: claiming no more");
            place.open("loaded");
            server.awaitLog("working on");
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.queued()).hasSize(10);
            assertThat(place.ledger().lines("start")).isEmpty();
            checkNothingIsHeld(place);
        }
    }

    @Test
    void aStopWhileItWaitsForRedisEndsIt() {
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.runOnMri(Workplace.DEBIAN_GEMS, "--redis", "redis://127.0.0.1:1/0");
            server.awaitLog("waiting for Redis");
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.ledger().lines()).isEmpty();
        }
    }

    @Test
    void aSecondTermEndsAtOnceAndLeavesTheJobsToRecovery() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.DEBIAN_GEMS, "-c", "3", "-t", "600");
            place.pushJobs(3, "long", "GateJob", "[\"never\"]");
            place.await("jobs run", () -> place.ledger().count("start", "GateJob") == 3);
            server.signal("TERM");
            server.awaitLog("TERM: stopping");
            server.signalUntilItEnds("TERM");

            assertThat(server.awaitExit()).as(server::log).isOne();
            assertThat(place.inHandsOf(server))
                    .containsExactlyInAnyOrder("long0", "long1", "long2");
        }
    }

    /// Long: a server more; `aSecondTermEndsAtOnceAndLeavesTheJobsToRecovery` has two signals.
    @Tag("long")
    @Test
    void signalsThatComeTogetherAreOneStop() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.DEBIAN_GEMS, "-c", "1", "-t", "600");
            place.pushJobs(1, "long", "GateJob", "[\"late\"]");
            place.await("it runs", () -> place.ledger().count("start", "GateJob") == 1);
            server.signal("TERM", "INT");
            server.awaitLog("stopping");
            place.open("late");

            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.ledger().count("end", "GateJob")).isOne();
            checkNothingIsHeld(place);
        }
    }

    private static Stream<String> jids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i);
    }

    private static void checkNothingIsHeld(Workplace place) {
        // Only the memory of crashes stays, for a day.
        assertThat(place.strings("KEYS", "mw:{*}:*").stream().map(Workplace::text))
                .isSubsetOf("mw:{queue:default}:crashes");
    }
}
