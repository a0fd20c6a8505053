package dev.mawashi.web;

import dev.mawashi.http.Access;
import dev.mawashi.http.Route;
import dev.mawashi.pages.Links;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.wire.ResqueKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Calls the routes of a server, whatever they are, for what a `FullRedis` has.
final class RouteCalls implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");
    private static final String STREAM = "text/event-stream";

    private final HttpClient client = HttpClient.newHttpClient();
    private final WebServer server;
    private final String text;

    /// @param text of the `FullRedis`
    RouteCalls(WebServer server, String text) {
        this.server = server;
        this.text = text;
    }

    /// A server that listens.
    ///
    /// @param environment may have secrets
    static WebServer serve(String redis, Map<String, String> environment) {
        WebServer server =
                WebServer.besideFleet(
                        new WebSettings(
                                Access.of("0", environment),
                                RedisAddress.parse(redis),
                                ResqueKeys.DEFAULT,
                                "9.9.9"),
                        InstantSource.system());
        server.start();
        return server;
    }

    /// What came back; of a stream only its head.
    record Reply(int status, String type, String body, HttpResponse<?> whole) {}

    /// The route's path, with something that there is for each name in it.
    String path(Route route) {
        Matcher names = NAME.matcher(route.template());
        return names.replaceAll(name ->
                Matcher.quoteReplacement(
                        Links.segment(
                                switch (name.group(1)) {
                                    case "key" -> FullRedis.SCORE + "-" + text;
                                    case "set" -> "dead";
                                    case "index", "place", "number" -> "0";
                                    default -> text;
                                })));
    }

    /// @param query begins with a question mark, or is empty
    /// @param headers names and values in turn
    Reply call(Route route, String query, String... headers) throws Exception {
        return call(route.method(), path(route) + query, headers);
    }

    Reply call(String method, String path, String... headers) throws Exception {
        HttpRequest.BodyPublisher body =
                method.equals("POST")
                        ? HttpRequest.BodyPublishers.ofString("")
                        : HttpRequest.BodyPublishers.noBody();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .timeout(PATIENCE)
                        .method(method, body);
        if (method.equals("POST")) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> answer =
                client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        String type = answer.headers().firstValue("Content-Type").orElse("");
        return new Reply(answer.statusCode(), type, body(answer, type), answer);
    }

    private static String body(HttpResponse<InputStream> answer, String type) throws IOException {
        try (InputStream in = answer.body()) {
            return type.startsWith(STREAM)
                    ? ""
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
