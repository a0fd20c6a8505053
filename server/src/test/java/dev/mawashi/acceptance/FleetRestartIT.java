package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi restart --all` of a fleet of real servers.
final class FleetRestartIT {
    private static final Pattern STAGE =
            Pattern.compile("(?m)^(web-\\d):\\S+ generation \\d+ (boots|is ready)");

    @TempDir Path folder;

    private static Child server(Releases app, String host) {
        return app.serverOf(host, "--runner", "mri", "-c", "2", "-t", "1");
    }

    private static Child roll(Workplace place) {
        return place.mawashi(Map.of("HOSTNAME", "ci"), "restart", "--all");
    }

    private static String rolled(Workplace place, int exit) {
        return ended(roll(place), exit);
    }

    private static String ended(Child roller, int exit) {
        assertThat(roller.awaitExit()).as(roller::log).isEqualTo(exit);
        return roller.log();
    }

    private static List<String> stages(String log) {
        return STAGE.matcher(log)
                .results()
                .map(found -> found.group(1) + " " + found.group(2))
                .toList();
    }

    private static void awaitSeen(Workplace place, int processes) {
        place.await("all are seen", () -> place.number("SCARD", "processes") == processes);
    }

    private static List<String> identities(Workplace place, String host) {
        return place.strings("SMEMBERS", "processes").stream()
                .map(Workplace::text)
                .filter(one -> one.startsWith(host + ":"))
                .toList();
    }

    private static long restarts(Workplace place) {
        return place.strings("LRANGE", "mw:audit", "0", "-1").stream()
                .filter(entry -> Workplace.text(entry).contains("\"act\":\"restart\""))
                .count();
    }

    /// Long: three servers; the other test and `RestartCommandIT` are the quick ones.
    @Tag("long")
    @Test
    void processesAreRestartedInTheirOrderUpToTheFirstThatFails() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            List<Child> servers =
                    List.of(server(app, "web-1"), server(app, "web-2"), server(app, "web-3"));
            awaitSeen(place, 3);
            place.pushJobs(6, "long", "CodeJob", "[\"gate\"]");
            place.await("all slots run", () -> app.count("start", 1) == 6);

            app.release("raise \"not here\" if ENV[\"DYNO\"] == \"web-2\"");
            String log = rolled(place, 1);

            assertThat(stages(log)).containsExactly("web-1 boots", "web-1 is ready", "web-2 boots");
            assertThat(log)
                    .containsPattern(
                            "mawashi: stopped at web-2:\\S+: generation 2 failed, generation 1 goes on: "
                                    + ".*; restarted: web-1:\\S+; not restarted: web-2:\\S+, web-3:\\S+\n");
            assertThat(restarts(place)).isEqualTo(2);
            assertThat(servers.get(2).log()).doesNotContain("restart: generation");

            app.release("");
            log = rolled(place, 0);
            assertThat(stages(log))
                    .containsExactly(
                            "web-1 boots",
                            "web-1 is ready",
                            "web-2 boots",
                            "web-2 is ready",
                            "web-3 boots",
                            "web-3 is ready");
            assertThat(log).contains("\n3 restarted\n");
            assertThat(restarts(place)).isEqualTo(5);
            assertThat(place.number("EXISTS", "mw:rolling")).isZero();
            place.open("gate");
            place.await("they end on old code", () -> app.count("end", 1) == 6);
            place.pushJobs(20, "new", "CodeJob", "[]");
            place.await("new code runs the others", () -> app.count("end", 3) == 20);
        }
    }

    @Test
    void oneProgramRollsAtATimeAndTheNextGoesOnOnceThatHasDied() {
        try (Workplace place = new Workplace(folder)) {
            Releases app = new Releases(place, "");
            Child first = server(app, "web-1");
            Child second = server(app, "web-2");
            awaitSeen(place, 2);
            app.release(
                    "if ENV[\"DYNO\"] == \"web-1\"\n"
                            + "  Ledger.note(\"boots\", \"x\")\n  Ledger.pass(\"boot\")\nend");
            Child killed = roll(place);
            place.await("it boots", () -> place.ledger().lines("boots").size() == 1);

            assertThat(rolled(place, 1))
                    .containsPattern("@ci began to restart all processes at \\d{4}-\\S+Z: wait")
                    .hasLineCount(1);
            killed.kill();
            assertThat(rolled(place, 1)).contains("@ci began to restart all processes at");
            assertThat(place.number("PTTL", "mw:rolling")).isBetween(1L, 30_000L);
            // The time of a dead program's turn, and below of a dead server's record, has passed.
            place.number("PEXPIRE", "mw:rolling", "1");

            Child next = roll(place).awaitLog("a restart is under way, and ends first");
            second.kill();
            place.number("PEXPIRE", identities(place, "web-2").getFirst(), "1");
            Child came = server(app, "web-3");
            // The dead one counts until somebody looks for such, once a minute.
            place.await("it is seen", () -> !identities(place, "web-3").isEmpty());
            place.open("boot");

            String log = ended(next, 0);
            assertThat(stages(log))
                    .containsExactly(
                            "web-1 boots", "web-1 is ready", "web-3 boots", "web-3 is ready");
            assertThat(log)
                    .containsPattern("web-2:\\S+ gone\n")
                    .contains("\n2 restarted, 1 gone\n");
            first.awaitLog("restart: generation 3 takes the jobs");
            came.awaitLog("restart: generation 2 takes the jobs");
        }
    }
}
