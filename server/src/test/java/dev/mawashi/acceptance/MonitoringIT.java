package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The dashboard and the alert rules that are shipped, in a real Prometheus that scrapes a real
/// server.
final class MonitoringIT {
    private static final Path FILES = Path.of("../examples/monitoring");
    private static final Path ALERTS = FILES.resolve("mawashi-alerts.yml");
    private static final Path DASHBOARD = FILES.resolve("mawashi-dashboard.json");
    private static final Path ALERTS_TEST =
            Path.of("src/test/resources/monitoring-alerts-test.yml");

    private static final Pattern URL = Pattern.compile("probes and metrics at http://(\\S+)");
    private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
    private static final Pattern FIRES =
            Pattern.compile("alertname=\"(\\w+)\",alertstate=\"firing\".*exp_samples");
    private static final Pattern EXPRESSION =
            Pattern.compile("\"expr\": (\"(?:[^\"\\\\]|\\\\.)*\")");

    @TempDir Path folder;

    private static Set<String> names(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Each expression of the dashboard, with what Grafana puts in for its variables.
    private static List<String> expressions() throws IOException {
        List<String> all = new ArrayList<>();
        Matcher matcher = EXPRESSION.matcher(Files.readString(DASHBOARD));
        while (matcher.find()) {
            byte[] quoted = matcher.group(1).getBytes(UTF_8);
            all.add(
                    Json.unquote(quoted, 0, quoted.length)
                            .replace("$__rate_interval", "10s")
                            .replace("$instance", ".*")
                            .replace("$queue", ".*"));
        }
        return all;
    }

    @Test
    void eachAlertFiresWhenItShould() throws IOException {
        for (Path file : List.of(ALERTS, ALERTS_TEST)) {
            Files.copy(file, folder.resolve(file.getFileName()));
        }
        List<String> check = List.of("check", "rules", "mawashi-alerts.yml");
        List<String> test = List.of("test", "rules", "monitoring-alerts-test.yml");

        assertThat(PrometheusForTests.promtool(folder, check)).startsWith("0 ").contains("SUCCESS");
        assertThat(PrometheusForTests.promtool(folder, test)).startsWith("0 ").contains("SUCCESS");
        assertThat(names(FIRES, ALERTS_TEST)).isEqualTo(names(ALERT, ALERTS)).isNotEmpty();
    }

    /// Long: a Prometheus must scrape for a while.
    @Tag("long")
    @Test
    void allPanelsShowWhatAHealthyServerTellsAndNoAlertIsRaised() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(20, "plain", "PlainJob", "[]");
            Child server = place.runOnMri(Workplace.NO_GEMS, "-c", "2", "--health", "0");
            Matcher address = URL.matcher(server.awaitLog("probes and metrics at ").log());
            assertThat(address.find()).isTrue();
            try (PrometheusForTests prometheus =
                    new PrometheusForTests(folder, ALERTS, address.group(1))) {
                place.await("Prometheus is there", prometheus::isReady);
                place.await(
                        "all runs are scraped",
                        () ->
                                hasData(
                                        prometheus.query(
                                                "sum(mawashi_runs_total) >= 20 and"
                                                        + " sum(count_over_time(mawashi_runs_total[1m])) > 8")));
                assertAllPanelsHaveData(place, prometheus);
                assertNoAlert(place, prometheus);
            }
        }
    }

    private static boolean hasData(String answer) {
        return answer.startsWith("{\"status\":\"success\"") && !answer.contains("\"result\":[]");
    }

    private static void assertAllPanelsHaveData(Workplace place, PrometheusForTests prometheus)
            throws IOException {
        List<String> all = expressions();
        assertThat(all).hasSizeGreaterThan(30);
        for (String one : all) {
            assertThat(prometheus.query(one)).as(one).startsWith("{\"status\":\"success\"");
            place.await(one, () -> hasData(prometheus.query(one)));
        }
    }

    private static void assertNoAlert(Workplace place, PrometheusForTests prometheus)
            throws IOException {
        int number = names(ALERT, ALERTS).size();
        place.await(
                "all rules were evaluated",
                () -> prometheus.api("rules").split("\"health\":\"ok\"", -1).length == number + 1);
        // Scrapes from before the first beat leave alerts that are pending, until the next ones.
        place.await("no alert is left", () -> prometheus.api("alerts").contains("\"alerts\":[]"));
    }
}
