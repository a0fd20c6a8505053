package dev.mawashi.bench.rig;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Readers who have the page open, and are sent what is new.
public final class OpenStreams implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong bytes = new AtomicLong();

    private OpenStreams() {}

    /// Opens so many, and waits until each has been sent something.
    ///
    /// @param url of a stream
    /// @throws BenchFailure when one is not
    public static OpenStreams open(String url, int count) throws InterruptedException {
        OpenStreams streams = new OpenStreams();
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            streams.follow(url, begun);
        }
        if (!begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            streams.close();
            throw new BenchFailure(
                    "%s of %s streams of %s were sent nothing"
                            .formatted(begun.getCount(), count, url));
        }
        return streams;
    }

    private void follow(String url, CountDownLatch begun) {
        AtomicLong own = new AtomicLong();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Accept", "text/event-stream")
                        .build();
        var _ =
                client.sendAsync(
                        request,
                        HttpResponse.BodyHandlers.ofByteArrayConsumer(part -> {
                            int length = part.map(some -> some.length).orElse(0);
                            bytes.addAndGet(length);
                            if (own.getAndAdd(length) == 0 && length > 0) {
                                begun.countDown();
                            }
                        }));
    }

    /// All that was sent so far.
    public long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
