package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/// `expires_in`, as Sidekiq's own client writes it.
final class ExpiryIT {
    private static final Pattern PORT = Pattern.compile("probes and metrics at (http://[^/\\s]+)");

    private static final String ENQUEUE =
            """
            lock = "abcdefghijklmn"
            jid = PlainJob.set("expires_in" => 0.001, "mw_lock" => lock).perform_async("late")
            Sidekiq.redis { |redis| redis.call("HSET", "mw:locks", lock, "9999999999999 #{jid} PlainJob") }
            PlainJob.set("expires_in" => 3_600).perform_async("in time")
            PlainJob.set("expires_in" => 3_600, "at" => Time.now.to_f + 1).perform_async("at")
            PlainJob.perform_async("without")
            """;

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void aJobThatHasExpiredIsGoneWithoutARun(String runner) throws Exception {
        try (Workplace place = new Workplace(folder)) {
            place.ruby("push", "-r" + Workplace.APP, "-e", ENQUEUE);
            assertThat(place.number("HLEN", "mw:locks")).isOne();

            Child server =
                    place.run(Map.of(), "--runner", runner, "-c", "2", "--health", "127.0.0.1:0");

            place.await("the others run", () -> place.ledger().count("end", "PlainJob") == 3);
            place.await("all are settled", () -> place.isSettledBy(server));
            server.awaitLog("job had expired, it is gone: class=PlainJob");
            assertThat(server.log()).containsOnlyOnce("had expired");
            assertThat(place.number("HLEN", "mw:locks")).isZero();
            assertThat(place.ledger().count("start", "PlainJob")).isEqualTo(3);
            Matcher url = PORT.matcher(server.log());
            assertThat(url.find()).as(server::log).isTrue();
            assertThat(get(url.group(1) + "/metrics"))
                    .contains("mawashi_jobs_expired_total{class=\"PlainJob\"} 1.0");
        }
    }

    private static String get(String url) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
