package dev.mawashi.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Sends the bodies of answers: large ones in slices, since what is sent at once is copied, and
/// only so many at a time, since each is kept until a client has taken it, however slowly.
final class Outgoing {
    /// A larger body is large.
    static final int SMALL_BYTES_MAX = 1 << 20;

    /// Of all large bodies that are being sent.
    private static final int BYTES_MAX = 32 << 20;

    private static final int SLICE_BYTES = 64 << 10;

    private static final Answer TOO_MANY =
            Answer.text(503, "too many large answers are being sent at once: try again in a moment")
                    .with(Map.of("Retry-After", "1"));

    /// Bytes of the large bodies that are being sent.
    private final AtomicLong large = new AtomicLong();

    /// Answers with what it has room for: whoever gets another answer must send that.
    Answer admit(Answer answer) {
        int bytes = answer.body().length;
        // One goes out whatever its size.
        if (bytes <= SMALL_BYTES_MAX || large.addAndGet(bytes) <= Math.max(bytes, BYTES_MAX)) {
            return answer;
        }
        large.addAndGet(-bytes);
        return TOO_MANY;
    }

    /// @param body of an answer that was admitted
    void send(byte[] body, Response response, Callback callback) {
        if (body.length <= SMALL_BYTES_MAX) {
            response.write(true, ByteBuffer.wrap(body), callback);
            return;
        }
        response.getHeaders().put("Content-Length", "" + body.length);
        List<ByteBuffer> slices = new ArrayList<>();
        for (int at = 0; at < body.length; at += SLICE_BYTES) {
            slices.add(ByteBuffer.wrap(body, at, Math.min(SLICE_BYTES, body.length - at)).slice());
        }
        Content.copy(
                new ByteBufferContentSource(slices),
                response,
                Callback.from(() -> large.addAndGet(-body.length), callback));
    }
}
