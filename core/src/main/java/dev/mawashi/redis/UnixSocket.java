package dev.mawashi.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection over a Unix socket, as the socket that the Redis library takes: Java has such ones
/// as channels only, whose reads have no time limit. One thread's; only `close` may come from
/// another.
///
/// The channel never blocks. A thread that has to wait does so at the selector, where the time
/// limit, `close` and, of a virtual thread, an interruption end the wait as they do with TCP. The
/// time limit is that of a write too.
final class UnixSocket extends Socket {
    /// The JVM keeps a buffer outside its heap for each thread, as long as its longest write.
    private static final int WRITE_BYTES_MAX = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final InputStream input = new Input();
    private final OutputStream output = new Output();
    private volatile int millis;

    private UnixSocket(SocketChannel channel, Selector selector) throws IOException {
        super((SocketImpl) null);
        this.channel = channel;
        this.selector = selector;
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    /// Connects to what listens at a socket's file.
    ///
    /// @throws IOException with a message that names the remedy
    static UnixSocket open(String file) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            // Where as many wait as Redis lets wait, it fails at once.
            channel.connect(UnixDomainSocketAddress.of(file));
        } catch (IOException e) {
            channel.close();
            throw new IOException(explained(Path.of(file), String.valueOf(e.getMessage())));
        }
        try {
            return new UnixSocket(channel, Selector.open());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// The system's message is in its language, and says the same of a file that is no socket and
    /// of one at which nobody listens.
    private static String explained(Path file, String message) {
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
                return "this file is no socket: write the one that Redis has as unixsocket";
            }
        } catch (NoSuchFileException _) {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? "this link leads to no file"
                    : "there is no such file: start Redis with unixsocket " + file;
        } catch (AccessDeniedException _) {
            return "this user may not enter its folder: add it to the group of Redis";
        } catch (IOException e) {
            return message;
        }
        return Files.isWritable(file)
                ? message + ": does Redis run, with unixsocket " + file + "?"
                : "this user may not write the file: add it to the group of Redis, with"
                        + " unixsocketperm 770";
    }

    /// Reads or writes as much as goes at once, and waits until some does.
    ///
    /// @param bytes of which some remain
    /// @return how many it were; -1 when Redis has hung up
    private int transfer(int operation, ByteBuffer bytes) throws IOException {
        long from = System.nanoTime();
        boolean isInterrupted = false;
        try {
            while (true) {
                boolean isRead = operation == SelectionKey.OP_READ;
                int moved = isRead ? channel.read(bytes) : channel.write(bytes);
                if (moved != 0) {
                    return moved;
                }
                await(operation, System.nanoTime() - from);
                isInterrupted |= isInterrupted();
            }
        } catch (ClosedChannelException | ClosedSelectorException | CancelledKeyException e) {
            throw new SocketException("Socket closed", e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void await(int operation, long waited) throws IOException {
        long limit = TimeUnit.MILLISECONDS.toNanos(millis);
        if (limit > 0 && waited >= limit) {
            throw new SocketTimeoutException("timed out");
        }
        key.interestOps(operation);
        // Of a selector, too, 0 is no limit.
        selector.select(limit == 0 ? 0 : Math.ceilDiv(limit - waited, 1_000_000));
        selector.selectedKeys().clear();
    }

    /// Clears an interruption, with which the next wait would end at once.
    private boolean isInterrupted() throws IOException {
        boolean isInterrupted = Thread.interrupted();
        if (isInterrupted && Thread.currentThread().isVirtual()) {
            Thread.currentThread().interrupt();
            close();
            throw new SocketException("Closed by interrupt");
        }
        return isInterrupted;
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return length == 0
                    ? 0
                    : transfer(SelectionKey.OP_READ, ByteBuffer.wrap(bytes, from, length));
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            for (int at = from, end = from + length; at < end; ) {
                int size = Math.min(end - at, WRITE_BYTES_MAX);
                at += transfer(SelectionKey.OP_WRITE, ByteBuffer.wrap(bytes, at, size));
            }
        }
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() {
        return output;
    }

    @Override
    public void setSoTimeout(int limit) throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket closed");
        }
        millis = limit;
    }

    @Override
    public int getSoTimeout() {
        return millis;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return false;
    }

    @Override
    public boolean isOutputShutdown() {
        return false;
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return null;
    }

    /// The channel first: who waits looks at it.
    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
