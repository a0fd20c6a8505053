package dev.mawashi.http;

import dev.mawashi.lifecycle.Service;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// Listens at one address and answers by routes, on a few threads of its own, so that requests take
/// nothing from jobs.
public final class HttpServer implements Service {
    private static final int THREADS_MAX = 16;
    private static final int CONNECTIONS_MAX = 1_000;
    private static final int HEADERS_BYTES_MAX = 16 << 10;

    /// What the system holds of an answer that a client does not read.
    private static final int SEND_BYTES_MAX = 128 << 10;

    private static final Duration IDLE_MAX = Duration.ofSeconds(30);

    /// A request's head may take twice that.
    private static final Duration HEAD_STEP = Duration.ofSeconds(5);

    /// Bytes per second; who sends a body more slowly holds a connection for nothing.
    private static final long BODY_RATE_MIN = 100;

    /// Longest wait for the library once all connections are closed.
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

    private final ListenAddress address;
    private final Server server;
    private final ServerConnector connector;
    private final AnswerThreads answers = new AnswerThreads(System::nanoTime);

    /// @param routes no two of one method and template
    public HttpServer(Access access, List<Route> routes) {
        this(access, routes, HEAD_STEP);
    }

    /// @param headStep half of what a request's head may take
    HttpServer(Access access, List<Route> routes, Duration headStep) {
        address = access.address();
        QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX, 1);
        threads.setName("mawashi-web");
        threads.setDaemon(true);
        server = new Server(threads);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration()));
        connector.setHost(address.host());
        connector.setPort(address.port());
        connector.setIdleTimeout(IDLE_MAX.toMillis());
        connector.setAcceptQueueSize(CONNECTIONS_MAX);
        connector.addBean(new SlowHeads(connector.getScheduler(), headStep));
        connector.setAcceptedSendBufferSize(SEND_BYTES_MAX);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(CONNECTIONS_MAX, server));
        Dispatcher dispatcher =
                new Dispatcher(routes, new Gate(access, new Attempts(System::nanoTime)), answers);
        server.setHandler(new MinimumDataRateHandler(dispatcher, BODY_RATE_MIN, 0));
        server.setErrorHandler(new PlainErrors());
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADERS_BYTES_MAX);
        // A queue's name may hold a slash or a percent sign, which stand encoded in a path.
        http.setUriCompliance(
                UriCompliance.RFC3986.with(
                        "names",
                        UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                        UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
        return http;
    }

    /// @throws IllegalStateException with a message for the operator when it cannot listen there
    @Override
    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "cannot listen at "
                            + address
                            + ": "
                            + reason(e)
                            + " (give another port, or end what listens there)",
                    e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// The library says only where it failed, its cause says why.
    private static String reason(IOException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof UnresolvedAddressException
                ? "there is no such host"
                : String.valueOf(cause.getMessage());
    }

    /// The port that it listens at.
    public int port() {
        return connector.getLocalPort();
    }

    /// Where it listens, for the log.
    public String url() {
        return "http://" + new ListenAddress(address.host(), port());
    }

    /// Ends what is under way once the patience is over. A client that does not take its answer
    /// must not hold this up: the library waits for it without limit, until its connection is
    /// closed.
    @Override
    public void stop(Duration patience) {
        server.setStopTimeout(patience.toMillis());
        Thread stopping =
                Thread.ofPlatform().daemon().name("mawashi-web-stop-1").start(this::stopServer);
        try {
            if (!stopping.join(patience)) {
                connector.getConnectedEndPoints().forEach(EndPoint::close);
                stopping.join(CLOSE_PATIENCE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            answers.close();
        }
    }

    private void stopServer() {
        try {
            server.stop();
        } catch (TimeoutException _) {
            // What was still open is closed now.
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
