package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.redis.HeldPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A real Prometheus on the loopback interface that scrapes one server four times per second.
/// Closing kills it.
final class PrometheusForTests implements AutoCloseable {
    private static final String CONFIG =
            """
            global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 500ms }
            rule_files: [ "%s" ]
            scrape_configs:
              - job_name: mawashi
                static_configs: [ targets: [ "%s" ] ]
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private final HeldPort port = new HeldPort();
    private final String url;
    private final Child process;

    /// @param folder an empty one, for its data
    /// @param rules a file of rules
    /// @param target host and port of the server
    PrometheusForTests(Path folder, Path rules, String target) {
        url = "http://127.0.0.1:" + port.number();
        Path config = folder.resolve("prometheus.yml");
        try {
            Files.writeString(config, CONFIG.formatted(rules.toAbsolutePath().normalize(), target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process =
                new Child(
                        "prometheus",
                        new ProcessBuilder(
                                "prometheus",
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=127.0.0.1:" + port.number(),
                                "--log.level=warn"),
                        folder.resolve("prometheus.log"));
    }

    /// Whether it answers requests.
    boolean isReady() {
        if (!process.isAlive()) {
            throw new AssertionError("prometheus has ended: " + process.log());
        }
        try {
            return get("/-/ready").statusCode() == 200;
        } catch (UncheckedIOException _) {
            return false;
        }
    }

    /// The answer of `/api/v1/query`, as JSON.
    String query(String expression) {
        return get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8)).body();
    }

    /// What another path of its API answers, as JSON.
    String api(String path) {
        return get("/api/v1/" + path).body();
    }

    private HttpResponse<String> get(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs `promtool` to its end.
    ///
    /// @return what it printed, before that its exit code
    static String promtool(Path folder, List<String> words) {
        try {
            Process tool =
                    new ProcessBuilder(
                                    Stream.concat(Stream.of("promtool"), words.stream()).toList())
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
            String printed = new String(tool.getInputStream().readAllBytes(), UTF_8);
            return tool.waitFor() + " " + printed;
        } catch (IOException e) {
            throw new UncheckedIOException("run ./check once: it brings promtool", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.close();
        port.close();
        client.close();
    }
}
