package dev.mawashi.children;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The server's end of a connection to a Ruby process. One thread reads; any may send.
///
/// Who holds `sending` sends. Frames that come meanwhile stand in `unsent` in their order; it sends
/// them too, and looks again once it has let go: what came until then was left to it. So at most
/// one thread waits for a process that does not read.
final class Link implements AutoCloseable {
    /// Most bytes that are read or written in one go: the JVM copies all of them through memory
    /// outside of its heap, as often as it is tried, and each thread keeps that memory.
    private static final int BUFFER_BYTES = 128 << 10;

    /// Threads that send messages for which nobody may wait. No virtual ones: once one of these has
    /// used it, each read of a channel costs more system calls.
    private static final ExecutorService SENDERS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("mawashi-send-", 1).factory());

    private final SocketChannel channel;
    private final Queue<ByteBuffer> unsent = new ConcurrentLinkedQueue<>();
    private final ReentrantLock sending = new ReentrantLock();
    private ByteBuffer unread = ByteBuffer.allocate(BUFFER_BYTES).flip();

    Link(SocketChannel channel) {
        this.channel = channel;
    }

    /// The next frame, good until the next call; null when the process has ended or hung up.
    @Nullable Frame read() throws IOException {
        if (!fill(Frame.HEAD_BYTES)) {
            return null;
        }
        int length = unread.getInt(unread.position());
        if (length < 1 || length > Frame.BYTES_MAX) {
            throw new IOException("a frame of " + length + " bytes");
        }
        byte letter = unread.get(unread.position() + Frame.HEAD_BYTES - 1);
        FrameKind kind = FrameKind.of(letter);
        if (kind == null) {
            // Before it is waited for: what is no frame would swallow the frames behind it.
            throw new IOException("a frame of kind " + letter);
        }
        int bytes = Frame.HEAD_BYTES - 1 + length;
        if (!fill(bytes)) {
            return null;
        }
        int start = unread.position();
        ByteBuffer body = unread.slice(start + Frame.HEAD_BYTES, length - 1);
        unread.position(start + bytes);
        return new Frame(kind, body);
    }

    /// What comes from here on, as plain bytes.
    InputStream stream() {
        byte[] first = new byte[unread.remaining()];
        unread.get(first);
        return new SequenceInputStream(
                new ByteArrayInputStream(first), Channels.newInputStream(channel));
    }

    /// Makes so many bytes readable; false at the end of the stream.
    private boolean fill(int bytes) throws IOException {
        if (unread.remaining() >= bytes) {
            return true;
        }
        int needed = Math.max(bytes, unread.remaining());
        if (unread.capacity() < needed
                || (unread.capacity() > BUFFER_BYTES && needed <= BUFFER_BYTES)) {
            // Larger only for as long as it must be.
            unread = ByteBuffer.allocate(Math.max(needed, BUFFER_BYTES)).put(unread).flip();
        }
        unread.compact();
        try {
            while (unread.position() < bytes) {
                unread.limit(Math.min(unread.capacity(), unread.position() + BUFFER_BYTES));
                if (channel.read(unread) < 0) {
                    return false;
                }
            }
            return true;
        } finally {
            unread.flip();
        }
    }

    /// Sends a whole frame, or leaves it to the thread that sends at the moment. Waits until the
    /// process reads.
    ///
    /// @throws IOException when the process has ended
    void send(ByteBuffer frame) throws IOException {
        if (unsent.isEmpty() && sending.tryLock()) {
            try {
                write(frame);
            } finally {
                sending.unlock();
            }
        } else {
            unsent.add(frame);
        }
        sendAll();
    }

    /// The same without ever waiting. Reports to nobody that the process has ended.
    void post(ByteBuffer frame) {
        unsent.add(frame);
        if (!sending.isLocked()) {
            SENDERS.execute(() -> {
                try {
                    sendAll();
                } catch (IOException _) {
                    // It has ended, which the reading thread reports.
                }
            });
        }
    }

    private void sendAll() throws IOException {
        while (!unsent.isEmpty() && sending.tryLock()) {
            try {
                for (ByteBuffer frame = unsent.poll(); frame != null; frame = unsent.poll()) {
                    write(frame);
                }
            } finally {
                sending.unlock();
            }
        }
    }

    private void write(ByteBuffer frame) throws IOException {
        int end = frame.limit();
        while (frame.position() < end) {
            frame.limit(Math.min(end, frame.position() + BUFFER_BYTES));
            channel.write(frame);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // It is of no more use either way.
        }
    }
}
