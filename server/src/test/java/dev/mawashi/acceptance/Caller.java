package dev.mawashi.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Calls what servers answer over HTTP.
final class Caller implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();

    /// @param headers names and values by turns
    HttpResponse<String> get(String url, String... headers) {
        return send(HttpRequest.newBuilder(URI.create(url)), headers);
    }

    /// @param headers names and values by turns
    HttpResponse<String> post(String url, String body, String... headers) {
        return send(
                HttpRequest.newBuilder(URI.create(url))
                        .POST(HttpRequest.BodyPublishers.ofString(body)),
                headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String... headers) {
        request.timeout(LIMIT);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whether it answers with this status, and with this text among others.
    boolean tells(String url, int status, String text) {
        HttpResponse<String> answer = get(url);
        return answer.statusCode() == status && answer.body().contains(text);
    }

    @Override
    public void close() {
        client.close();
    }
}
