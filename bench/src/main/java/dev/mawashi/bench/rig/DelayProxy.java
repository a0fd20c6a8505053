package dev.mawashi.bench.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/// A longer way to a server on the loopback: every byte arrives later by the same time, in either
/// direction, and none waits for another one.
///
/// Each direction of a connection has two threads. One reads, the other writes what the first has
/// put into a queue when its time has come; the queue is bounded, so that a side that does not read
/// holds the other one back. When either side ends, both sockets are closed, and all four threads
/// end with them.
public final class DelayProxy implements AutoCloseable {
    private static final int CHUNK = 1 << 16;
    private static final int CHUNKS_MAX = 256;
    private static final int BACKLOG = 1_024;

    private final int port;
    private final Duration delay;
    private final ServerSocket listening;
    private volatile boolean isUsed;

    /// Bytes on their way; an empty chunk is the end.
    private record Chunk(long dueNanos, byte[] bytes) {}

    private DelayProxy(int port, Duration delay, ServerSocket listening) {
        this.port = port;
        this.delay = delay;
        this.listening = listening;
    }

    /// @param port of the server
    /// @param delay each way
    public static DelayProxy start(int port, Duration delay) {
        try {
            ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            DelayProxy proxy = new DelayProxy(port, delay, listening);
            Thread.ofVirtual().name("mawashi-proxy-1").start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /// Whether anybody has come this way.
    public boolean isUsed() {
        return isUsed;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                isUsed = true;
                carry(client, server);
                carry(server, client);
            } catch (IOException _) {
                // This proxy is closed or the server is gone; clients notice that themselves.
            }
        }
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Chunk> way = new LinkedBlockingQueue<>(CHUNKS_MAX);
        Thread.ofVirtual().name("mawashi-proxy-2").start(() -> read(from, way));
        Thread.ofVirtual().name("mawashi-proxy-3").start(() -> write(way, from, to));
    }

    private void read(Socket from, BlockingQueue<Chunk> way) {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                way.put(new Chunk(due(), Arrays.copyOf(buffer, length)));
            }
        } catch (IOException _) {
            // The other side of the connection is gone; what is on its way still arrives.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        try {
            way.put(new Chunk(due(), new byte[0]));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private long due() {
        return System.nanoTime() + delay.toNanos();
    }

    private void write(BlockingQueue<Chunk> way, Socket from, Socket to) {
        try {
            for (Chunk chunk = way.take(); chunk.bytes().length > 0; chunk = way.take()) {
                for (long left = left(chunk); left > 0; left = left(chunk)) {
                    LockSupport.parkNanos(left);
                }
                to.getOutputStream().write(chunk.bytes());
            }
        } catch (IOException _) {
            // Nobody is there to take it.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        close(from);
        close(to);
        // The reader may wait for room.
        way.clear();
    }

    private static long left(Chunk chunk) {
        return chunk.dueNanos() - System.nanoTime();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The socket is closed for us either way.
        }
    }

    /// Takes no more connections; those that are there end with either side.
    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
