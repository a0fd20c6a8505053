package dev.mawashi.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/// One who follows a stream.
///
/// Whoever offers an event puts it into `waiting`, in place of an older one that was not taken yet,
/// and has the library go round: `process` writes what waits once the write before is done, on the
/// thread that offered it or that the library has for sockets. So a follower holds two events at
/// most.
final class StreamFollower extends IteratingCallback {
    private final EndPoint endPoint;
    private final String address;
    private final Response response;
    private final Callback callback;
    private final LongSupplier nanoTime;
    private final Consumer<StreamFollower> onEnd;
    private byte @Nullable [] waiting;
    private boolean isEnding;
    private boolean hasEnded;
    private boolean isWriting;
    private long writingNanos;

    /// @param onEnd called when nothing is written any more
    StreamFollower(
            Request request,
            Response response,
            Callback callback,
            LongSupplier nanoTime,
            Consumer<StreamFollower> onEnd) {
        this.endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        this.address = Request.getRemoteAddr(request);
        this.response = response;
        this.callback = callback;
        this.nanoTime = nanoTime;
        this.onEnd = onEnd;
        response.setStatus(200);
        HttpFields.Mutable headers = response.getHeaders();
        Dispatcher.addHeaders(headers);
        headers.put("Content-Type", "text/event-stream");
        // Or nginx would gather events.
        headers.put("X-Accel-Buffering", "no");
        request.addFailureListener(this::abort);
    }

    String address() {
        return address;
    }

    void offer(byte[] event) {
        synchronized (this) {
            waiting = event;
        }
        iterate();
    }

    /// Offers what is worth less than an event: it takes the place of none.
    void offerComment(byte[] comment) {
        synchronized (this) {
            waiting = waiting == null ? comment : waiting;
        }
        iterate();
    }

    /// Ends the stream once all is written.
    void end() {
        synchronized (this) {
            isEnding = true;
        }
        iterate();
    }

    /// Closes the connection when it has not taken what was written for so long.
    void closeIfUnread(long nanos) {
        synchronized (this) {
            if (!isWriting || nanoTime.getAsLong() - writingNanos < nanos) {
                return;
            }
        }
        IOException unread = new IOException("the client does not read");
        abort(unread);
        endPoint.close(unread);
    }

    @Override
    protected Action process() {
        byte[] next;
        boolean isLast;
        synchronized (this) {
            next = waiting;
            waiting = null;
            isLast = next == null && isEnding;
            isWriting = next != null;
            writingNanos = nanoTime.getAsLong();
            if (hasEnded) {
                return Action.SUCCEEDED;
            }
            if (next == null && !isLast) {
                return Action.IDLE;
            }
            hasEnded = isLast;
        }
        response.write(isLast, next == null ? null : ByteBuffer.wrap(next), this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        onEnd.accept(this);
        callback.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        onEnd.accept(this);
        callback.failed(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
