package dev.mawashi.children;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A piece of the talk with a Ruby process: four bytes for the length of what follows, a letter for
/// the kind (see `FrameKind`), the body. Its other end is `mawashi/children/link.rb`.
///
/// @param body positioned at its begin, big-endian
record Frame(FrameKind kind, ByteBuffer body) {
    static final int HEAD_BYTES = 5;

    /// Neither end makes a longer one: it is twice the largest payload that is claimed, which has a
    /// frame of its own.
    static final int BYTES_MAX = 32 << 20;

    /// Reads a text that stands behind its length.
    String text() {
        return text(body.getInt());
    }

    /// Reads a text of so many bytes.
    ///
    /// @throws BufferUnderflowException when the frame has less: a length that is not so must not
    ///   take memory
    String text(int bytes) {
        if (bytes < 0 || bytes > body.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[bytes];
        body.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /// Reads what is left as one text.
    String rest() {
        return text(body.remaining());
    }

    /// An empty frame with room for a body, to be filled and given to `sealed`.
    static ByteBuffer open(FrameKind kind, int bodyBytes) {
        ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + bodyBytes);
        frame.putInt(bodyBytes + 1).put((byte) kind.letter());
        return frame;
    }

    static ByteBuffer of(FrameKind kind) {
        return open(kind, 0).flip();
    }

    static ByteBuffer of(FrameKind kind, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return open(kind, body.length).put(body).flip();
    }
}
