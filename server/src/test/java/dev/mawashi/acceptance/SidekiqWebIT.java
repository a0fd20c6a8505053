package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// Sidekiq's own page under puma, beside a real `mawashi run`: it shows what there is, and its
/// buttons do what they say. One server serves all tests, the last of which ends it.
@Tag("stack")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SidekiqWebIT {
    @TempDir static Path folder;

    private static Workplace place;
    private static Ledger ledger;
    private static Child server;
    private static WebPage web;

    @BeforeAll
    static void startBothWithJobsOfAllKinds() {
        place = new Workplace(folder);
        ledger = place.ledger();
        Child puma = place.script("web.rb");
        server = place.runOnMri(Workplace.NO_GEMS, "-c", "3", "-q", "default", "-q", "low");
        place.pushJobs(1, "busy", "GateJob", "[\"end\"]");
        place.pushJobs(3, "shut", "LockedJob", "[\"gate\"]");
        place.push("low", List.of(job("LockedJob", "corpse", ",\"retry\":0")));
        place.push("low", List.of(job("LockedJob", "remains", ",\"retry\":0")));
        place.push(
                "unserved", List.of(job("PlainJob", "waiting", ""), job("PlainJob", "idle", "")));
        schedule("due");
        schedule("cancelled");
        web =
                new WebPage(
                        puma.awaitLog("page at ").log().replaceAll("(?s).*page at (\\S+).*", "$1"));
        place.await("busy", () -> ledger.count("start", "GateJob") == 1);
        place.await("retries", () -> place.number("ZCARD", "retry") == 3);
        place.await("dead", () -> place.number("ZCARD", "dead") == 2);
    }

    @AfterAll
    static void endBoth() {
        web.close();
        place.close();
    }

    @Test
    @Order(1)
    void thePagesShowWhatThereIs() {
        place.await("busy job", () -> web.read("busy").contains(">busy0<"));
        assertThat(web.read("busy"))
                .contains(":" + server.pid() + ":", "GateJob", "mawashi", "default, low")
                .contains("name=\"quiet\"", "name=\"stop\"");
        assertThat(web.read("queues")).contains(">unserved<", ">default<");
        assertThat(web.read("queues/unserved")).contains("PlainJob");
        assertThat(web.read("retries")).contains("shut0", "RuntimeError: gate is shut");
        assertThat(web.read("retries/" + web.key("retries", "shut0")))
                .contains("LockedJob", "gate is shut");
        assertThat(web.read("scheduled")).containsPattern("-due['\"]").contains("PlainJob");
        assertThat(web.read("morgue")).contains("corpse", "RuntimeError: gate is shut");
        place.await("figures", () -> web.read("stats").contains("\"failed\":5"));
        assertThat(web.read("stats"))
                .contains("\"busy\":1,\"processes\":1,\"enqueued\":2")
                .contains("\"scheduled\":2,\"retries\":3,\"dead\":2");
        assertThat(web.read("")).contains("Dashboard");
    }

    @Test
    @Order(2)
    void theButtonsOfJobsWork() {
        place.open("gate");

        assertThat(web.press("retries", "retry", "shut0")).doesNotContain("shut0");
        assertThat(web.press("retries", "kill", "shut1")).doesNotContain("shut1");
        assertThat(web.press("retries", "delete", "shut2")).doesNotContain("shut2");
        assertThat(web.press("scheduled", "add_to_queue", "due"))
                .doesNotContainPattern("-due['\"]");
        assertThat(web.press("scheduled", "delete", "cancelled")).doesNotContain("cancelled");
        assertThat(web.press("morgue", "delete", "remains")).doesNotContain("remains");
        assertThat(web.read("morgue")).contains("corpse", "shut1");
        web.press("morgue", "retry", "corpse");
        web.press("morgue", "retry", "shut1");
        web.deleteWaiting("unserved", new String(job("PlainJob", "waiting", ""), UTF_8));
        assertThat(place.strings("LRANGE", "queue:unserved", "0", "-1"))
                .containsExactly(job("PlainJob", "idle", ""));
        web.deleteWaiting("unserved", "");

        place.await("all run", () -> ledger.lines("end").size() == 4);
        assertThat(ledger.byJid("end"))
                .containsOnly(
                        Map.entry("shut0", 1L),
                        Map.entry("shut1", 1L),
                        Map.entry("due", 1L),
                        Map.entry("corpse", 1L));
        assertThat(List.of("retry", "schedule", "dead", "queue:unserved", "queue:low"))
                .allSatisfy(key -> assertThat(place.number("EXISTS", key)).as(key).isZero());
    }

    /// Long: orders are read at a beat, so it waits for some.
    @Tag("long")
    @Test
    @Order(3)
    void quietStopsTheClaimingAndStopEndsTheProcessWithNothingLost() {
        String identity = identity();

        web.press("busy", "quiet", Map.of("identity", identity));

        place.await("quiet", () -> !web.read("busy").contains("value=\"1\">Quiet<"));
        assertThat(Workplace.text(place.strings("HMGET", identity, "quiet").getFirst()))
                .isEqualTo("true");
        place.pushJobs(2, "late", "PlainJob", "[]");

        web.press("busy", "stop", Map.of("identity", identity));

        server.awaitLog("stopping");
        place.open("end");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(ledger.byJid("end")).containsEntry("busy0", 1L);
        assertThat(ledger.byJid("start")).doesNotContainKeys("late0", "late1");
        assertThat(place.queued()).containsExactly("late0", "late1");
        assertThat(web.read("busy")).doesNotContain(identity);
    }

    private static String identity() {
        List<byte[]> processes = place.strings("SMEMBERS", "processes");
        assertThat(processes).hasSize(1);
        return Workplace.text(processes.getFirst());
    }

    private static byte[] job(String jobClass, String jid, String extra) {
        return """
        {"class":"%s","args":["gate"],"jid":"%s","queue":"low","created_at":1795225660.7%s}\
        """
                .formatted(jobClass, jid, extra)
                .getBytes(UTF_8);
    }

    private static void schedule(String jid) {
        String payload = new String(job("PlainJob", jid, ""), UTF_8);
        assertThat(place.number("ZADD", "schedule", "4000000000.5", payload)).isOne();
    }
}
