package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an operator does with commands, as Sidekiq's own API and a running server see it.
final class OperatorIT {
    private static final String DUE = "1999999999.5";

    @TempDir Path folder;

    private static String done(Workplace place, String... command) {
        Child child = place.mawashi(Map.of(), command);
        int code = child.awaitExit();
        assertThat(code).as(child::log).isZero();
        return child.log();
    }

    @Test
    void sidekiqsApiReadsWhatTheCommandsDid() {
        try (Workplace place = new Workplace(folder)) {
            place.lines("operator_seed.rb");

            done(place, "retries", "retry", "retry1", "retry2");
            done(place, "retries", "bury", "--text", "bury");
            done(place, "dead", "retry", "dead1");
            done(place, "dead", "delete", "--jid", "dead2");
            done(place, "scheduled", "run", "run1");
            done(place, "scheduled", "reschedule", "--class", "PlainJob", "--at", DUE);
            done(place, "queues", "clear", "trash");

            String failed = " PlainJob [\"%s\", 1.5] 3 \"E\" Float Float Float";
            String again = " PlainJob [\"%s\", 1.5] 2 \"E\" Float Float Float";
            assertThat(place.lines("operator_read.rb"))
                    .containsExactlyInAnyOrder(
                            "queue low 4 true",
                            "low retry1" + again.formatted("retry1"),
                            "low retry2" + again.formatted("retry2"),
                            "low dead1" + again.formatted("dead1"),
                            "low run1 PlainJob [\"run1\", 1.5] nil nil Float Float NilClass",
                            "retry stay1" + failed.formatted("stay1"),
                            "dead bury1" + failed.formatted("bury1"),
                            "dead bury2" + failed.formatted("bury2"),
                            "dead dead3" + failed.formatted("dead3"),
                            "scheduled later1 PlainJob [\"later1\", 1.5] nil nil Float NilClass"
                                    + " NilClass",
                            "due later1 " + DUE,
                            "died now bury1 bury2 dead3",
                            "retry 1 2000000000");
        }
    }

    /// Long: it waits for beats; PauseWatchIT and FetchPausesIT have pauses.
    @Tag("long")
    @Test
    void anIdleServerLeavesPausedQueuesAloneAndGoesOnWhenTheyAreUnpaused() {
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.runOnMri(Workplace.NO_GEMS, "-c", "2", "-q", "default", "-q", "low");
            server.awaitLog("working on");
            Ledger ledger = place.ledger();
            place.pushJobs(1, "first", "PlainJob", "[]");
            place.await("it works", () -> ledger.count("end", "PlainJob") == 1);

            done(place, "queues", "pause", "default", "low");
            server.awaitLog("paused queues: [default, low]");
            place.pushJobs(3, "held", "PlainJob", "[]");
            place.push("low", List.of(lowJob()));
            done(place, "queues", "unpause", "low");
            place.await("the other queue's job runs", () -> ledger.count("end", "PlainJob") == 2);

            place.await(
                    "what was parked for is back",
                    () -> place.queued().size() == 3 && place.inHandsOf(server).isEmpty());
            assertThat(place.queued()).containsExactly("held0", "held1", "held2");
            assertThat(ledger.byJid("start")).containsOnlyKeys("first0", "low0");

            done(place, "queues", "unpause", "default");
            place.await("all run", () -> ledger.count("end", "PlainJob") == 5);

            assertThat(done(place, "processes", "quiet", "--all")).contains("will quiet");
            place.await(
                    "it is quiet",
                    () ->
                            place.lines("figures.rb").stream()
                                    .anyMatch(line ->
                                            line.startsWith("process 1 x")
                                                    && line.contains(" true ")));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(ledger.byJid("end").values()).hasSize(5).containsOnly(1L);
        }
    }

    private static byte[] lowJob() {
        return "{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"low0\",\"created_at\":1795225660717}"
                .getBytes(StandardCharsets.UTF_8);
    }
}
