package dev.mawashi.bench.rig;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// A service that jobs call by HTTP: answers each request with the same JSON after the same time,
/// any number at once, without a thread for each.
public final class SlowService implements AutoCloseable {
    private static final byte[] ANSWER =
            "{\"cents\":490,\"days\":3}".getBytes(StandardCharsets.US_ASCII);
    private static final int WAITING_MAX = 1_000;

    private final ScheduledExecutorService clock;
    private final HttpServer server;

    /// Starts on a free port of the loopback.
    ///
    /// @param time from a request to its answer
    public SlowService(Duration time) {
        clock = Executors.newSingleThreadScheduledExecutor();
        try {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            server = HttpServer.create(new InetSocketAddress(loopback, 0), WAITING_MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                "/",
                exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    var _ =
                            clock.schedule(
                                    () -> answer(exchange), time.toMillis(), TimeUnit.MILLISECONDS);
                });
        server.start();
    }

    private static void answer(HttpExchange exchange) {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, ANSWER.length);
            exchange.getResponseBody().write(ANSWER);
        } catch (IOException _) {
            // Who asked has gone, and fails by itself.
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/shipping";
    }

    @Override
    public void close() {
        server.stop(0);
        clock.shutdownNow();
    }
}
