package dev.mawashi.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/// Closes connections whose client sends the head of a request, but hardly: each byte puts off the
/// limit for idle ones, and so a few hundred would hold the port for good. Of a body the library
/// itself watches the rate.
///
/// Each connection is looked at from time to time, by one thread. Who has begun a head by a look
/// and has not ended it by the next is closed.
final class SlowHeads extends AbstractLifeCycle implements Connection.Listener {
    private final Scheduler scheduler;
    private final Duration step;
    private final Map<Connection, Look> looks = new ConcurrentHashMap<>();

    /// The state at a look.
    ///
    /// @param requests whose heads were there
    /// @param bytes that had come
    /// @param isWithin whether more had come since the look before, and no head had ended
    private record Look(long requests, long bytes, boolean isWithin) {}

    /// @param step between looks; a head may take two
    SlowHeads(Scheduler scheduler, Duration step) {
        this.scheduler = scheduler;
        this.step = step;
    }

    @Override
    protected void doStart() {
        lookLater();
    }

    private void lookLater() {
        scheduler.schedule(this::look, step.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        looks.forEach((connection, before) -> {
            long requests = connection.getMessagesIn();
            long bytes = connection.getBytesIn();
            boolean isSame = requests == before.requests() && isAnswered(connection);
            if (isSame && before.isWithin()) {
                connection.getEndPoint().close();
            }
            boolean isWithin = isSame && bytes > before.bytes();
            looks.replace(connection, before, new Look(requests, bytes, isWithin));
        });
        if (isRunning()) {
            lookLater();
        }
    }

    private static boolean isAnswered(Connection connection) {
        return connection.getMessagesIn() == connection.getMessagesOut();
    }

    @Override
    public void onOpened(Connection connection) {
        looks.put(connection, new Look(0, 0, false));
    }

    @Override
    public void onClosed(Connection connection) {
        looks.remove(connection);
    }
}
