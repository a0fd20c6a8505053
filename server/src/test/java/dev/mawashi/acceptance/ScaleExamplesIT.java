package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The examples for KEDA and Kubernetes's autoscaler, as far as they can be run without these: what
/// they ask a real server and a real Prometheus has an answer.
final class ScaleExamplesIT {
    private static final Path EXAMPLES = Path.of("../examples/deploy");
    private static final Path ALERTS = Path.of("../examples/monitoring/mawashi-alerts.yml");
    private static final Pattern URL = Pattern.compile("page, probes and metrics at (http\\S+)");
    private static final Pattern VALUE = Pattern.compile("pools\\.0\\.(\\w+)");

    @TempDir Path folder;

    private static List<Map<?, ?>> documents(String file) throws IOException {
        Load load = new Load(LoadSettings.builder().build());
        String text = Files.readString(EXAMPLES.resolve(file));
        return StreamSupport.stream(load.loadAllFromString(text).spliterator(), false)
                .<Map<?, ?>>map(one -> (Map<?, ?>) one)
                .toList();
    }

    /// What lies at the end of these names and places.
    private static Object at(Object node, Object... path) {
        Object at = node;
        for (Object step : path) {
            at = at instanceof List<?> list ? list.get((int) step) : ((Map<?, ?>) at).get(step);
            assertThat(at).as(step.toString()).isNotNull();
        }
        return at;
    }

    private static Map<?, ?> trigger(String type) throws IOException {
        List<?> triggers = (List<?>) at(documents("keda.yaml").getFirst(), "spec", "triggers");
        return (Map<?, ?>)
                triggers.stream()
                        .filter(one -> at(one, "type").equals(type))
                        .map(one -> at(one, "metadata"))
                        .findFirst()
                        .orElseThrow();
    }

    private static String url(Child server) {
        Matcher page = URL.matcher(server.awaitLog("page, probes and metrics at http").log());
        assertThat(page.find()).isTrue();
        return page.group(1);
    }

    private static String get(String url) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void kedaFindsTheNumberWhereItLooks() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(1, "default", "PlainJob", "[]");
            String server =
                    url(
                            place.runOnMri(
                                    Workplace.NO_GEMS, "-q", "default", "-c", "2", "--web", "0"));
            Map<?, ?> trigger = trigger("metrics-api");
            URI asked = URI.create((String) at(trigger, "url"));
            Matcher value = VALUE.matcher((String) at(trigger, "valueLocation"));
            assertThat(value.matches()).isTrue();
            String path = asked.getRawPath() + "?" + asked.getRawQuery();

            place.await(
                    "a beat",
                    () -> {
                        try {
                            // The page answers before the first beat, then without a pool.
                            return pools(get(server + path)).stream()
                                    .limit(1)
                                    .anyMatch(first -> first.number(value.group(1)) == 1);
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }

    private static List<JsonObject> pools(String answer) {
        return JsonObject.of(answer).objects("pools");
    }

    /// Long: a Prometheus must scrape for a while.
    @Tag("long")
    @Test
    void bothQueriesOfPrometheusHaveAnAnswer() throws Exception {
        List<Map<?, ?>> hpa = documents("hpa.yaml");
        Object rule = at(hpa.get(1), "rules", "external", 0);
        String metric = (String) at(hpa.get(0), "spec", "metrics", 0, "external", "metric", "name");
        assertThat(at(rule, "name", "as")).isEqualTo(metric);
        assertThat(metric).matches("[a-z_]+");
        try (Workplace place = new Workplace(folder)) {
            String server =
                    url(
                            place.runOnMri(
                                    Workplace.NO_GEMS, "-q", "default", "-c", "2", "--web", "0"));
            try (PrometheusForTests prometheus =
                    new PrometheusForTests(folder, ALERTS, URI.create(server).getAuthority())) {
                place.await("Prometheus is there", prometheus::isReady);
                for (Object query :
                        List.of(
                                at(trigger("prometheus"), "query"),
                                at(rule, "seriesQuery"),
                                at(rule, "metricsQuery"))) {
                    place.await(
                            "an answer to " + query,
                            () -> prometheus.query((String) query).contains(",\"1\"]"));
                }
            }
        }
    }
}
