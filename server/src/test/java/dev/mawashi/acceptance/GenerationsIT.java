package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The generations of a real server's code, in all places that show them.
final class GenerationsIT {
    private static final Pattern URL = Pattern.compile("the page, probes and metrics at (\\S+)");

    @TempDir Path folder;

    private static String url(Child server) {
        Matcher url = URL.matcher(server.log());
        assertThat(url.find()).as(server::log).isTrue();
        return url.group(1);
    }

    @Test
    void areFiguresRowsAndJson() {
        try (Workplace place = new Workplace(folder);
                Caller caller = new Caller()) {
            Releases app = new Releases(place, "");
            Child server = app.server("--runner", "mri", "-c", "2", "-t", "1", "--web", "0");
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            String id = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
            String url = url(server);
            place.pushJobs(1, "long", "CodeJob", "[\"gate\"]");
            place.await("it runs", () -> app.count("start", 1) == 1);

            app.release("raise \"not this\"");
            Releases.restart(place, 1);
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_generation 1.0\n", "mawashi_generations 1.0\n")
                    .contains("mawashi_restart_failed 1.0\n");
            assertThat(shown(place, id)).containsPattern("restart +failed: .*not this");
            assertThat(caller.get(url + "/processes/" + id).body())
                    .contains("The last restart failed", "not this");

            app.release("");
            Releases.restart(place, 0);
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_generation 2.0\n", "mawashi_generations 2.0\n")
                    .contains("mawashi_old_code_busy_slots 1.0\n", "mawashi_restart_failed 0.0\n")
                    .contains("mawashi_oldest_code_timestamp_seconds 1.");
            assertThat(shown(place, id))
                    .containsPattern("generation 1 +1 busy, \\d+ children, for \\d+ s")
                    .containsPattern(
                            "generation 2 +0 busy, \\d+ children, for \\d+ s, gets new jobs")
                    .doesNotContain("failed");
            assertThat(caller.get(url + "/api/v1/processes/" + id + "/generations").body())
                    .contains("{\"generations\":{\"state\":\"ready\",\"generation\":2,")
                    .endsWith("\"problem\":null}");
            place.open("gate");
            server.awaitLog("restart: generation 1 has ended");
            assertThat(shown(place, id)).doesNotContain("generation 1 ");
        }
    }

    private static String shown(Workplace place, String id) {
        Child show = place.mawashi(Map.of(), "processes", "show", id);
        assertThat(show.awaitExit()).as(show::log).isZero();
        return show.log();
    }
}
