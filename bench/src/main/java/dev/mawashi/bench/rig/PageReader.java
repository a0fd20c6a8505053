package dev.mawashi.bench.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;

/// Reads pages one after the other, and how long Redis was held for each.
public final class PageReader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int OK = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final SlowLog slow;

    public PageReader(String url, BenchRedis redis) {
        this.url = url;
        slow = new SlowLog(redis);
    }

    /// The status of a page.
    public int status(String path) throws InterruptedException {
        return get(path).statusCode();
    }

    /// Reads a page so many times.
    ///
    /// @return `median_ms` and `worst_ms` of an answer, its `bytes`, and `redis_held_ms_max`, the
    ///   longest that one command of all these answers has held Redis
    /// @throws BenchFailure when an answer is no page
    public Run read(String path, int times) throws InterruptedException {
        slow.watch();
        double[] millis = new double[times];
        int bytes = 0;
        for (int i = 0; i < times; i++) {
            long began = System.nanoTime();
            HttpResponse<byte[]> answer = get(path);
            millis[i] = (System.nanoTime() - began) / 1e6;
            bytes = answer.body().length;
            if (answer.statusCode() != OK) {
                throw new BenchFailure(path + " was answered with " + answer.statusCode());
            }
        }
        Arrays.sort(millis);
        return Run.EMPTY
                .with("median_ms", millis[times / 2])
                .with("worst_ms", millis[times - 1])
                .with("redis_held_ms_max", slow.longest(_ -> true))
                .with("bytes", bytes);
    }

    private HttpResponse<byte[]> get(String path) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE).build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new BenchFailure(path + " was not answered: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
