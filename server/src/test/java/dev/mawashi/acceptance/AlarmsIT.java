package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Alarms of a real server, everywhere that they are shown.
///
/// Long: it waits for two looks, 15 s apart. AlarmWatchTest has the looks, HeapAlarmIT,
/// RedisAlarmsIT and CertificateAlarmIT have what is looked at, and HealthPortIT what a scrape says
/// of them.
@Tag("long")
final class AlarmsIT {
    private static final Pattern URL =
            Pattern.compile("the page, probes and metrics at (http\\S+)");
    private static final String ILLNESS = "child processes die: ";

    @TempDir Path folder;

    private final Caller caller = new Caller();

    /// Kills the children that run jobs, and waits for others in their place.
    ///
    /// @param killed those of the rounds before, whose jobs may have begun again by now
    /// @return all that were killed by now
    private static Set<Long> killChildren(Workplace place, int round, Set<Long> killed) {
        place.pushJobs(2, "held" + round, "GateJob", "[\"gate\"]");
        place.await(
                "two more children run jobs",
                () -> place.ledger().byPid("start").size() >= killed.size() + 2);
        Set<Long> pids = new TreeSet<>(place.ledger().byPid("start").keySet());
        pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        place.await(
                "they are gone",
                () -> pids.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
        return pids;
    }

    @Test
    void childrenThatDieAreInTheLogOnThePageInTheApiAndAtMetrics() {
        try (Workplace place = new Workplace(folder);
                caller) {
            Child server =
                    place.run(
                            Workplace.NO_GEMS,
                            "--runner",
                            "mri",
                            "--processes",
                            "2",
                            "-c",
                            "1",
                            "--web",
                            "0");
            Matcher address = URL.matcher(server.awaitLog("the page, probes").log());
            assertThat(address.find()).isTrue();
            String url = address.group(1);
            place.await(
                    "it has measured",
                    () -> caller.tells(url + "/metrics", 200, "mawashi_suspect_jobs 0.0"));
            Set<Long> killed = Set.of();
            for (int round = 0; round < 5; round++) {
                killed = killChildren(place, round, killed);
            }

            server.awaitLog("WARN: alarm children_die: " + ILLNESS);
            place.await(
                    "the page", () -> caller.tells(url + "/", 200, "children_die</b> " + ILLNESS));
            assertThat(caller.get(url + "/api/v1/processes").body())
                    .contains("\"alarms\":[{\"name\":\"children_die\",\"text\":\"" + ILLNESS);
            assertThat(caller.get(url + "/metrics").body())
                    .contains("mawashi_alarm{alarm=\"children_die\"} 1.0")
                    .contains("mawashi_alarm{alarm=\"heap_full\"} 0.0");
        }
    }
}
