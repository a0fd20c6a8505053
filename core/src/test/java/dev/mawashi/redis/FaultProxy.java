package dev.mawashi.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A TCP proxy that breaks connections at chosen points. It knows nothing of Redis's protocol, only
/// that a client sends a burst of commands and then waits for their replies: bytes from a client
/// after bytes from the server begin the next burst. Bursts are numbered from 1 over all
/// connections, log-in included.
public final class FaultProxy implements AutoCloseable {
    private static final int BEFORE_SEND = -1;
    private static final int BUFFER_BYTES = 1 << 16;

    private volatile RedisAddress server;
    private final Thread accepting;
    private final ServerSocket listening;
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<Integer, Integer> replyBytes = new HashMap<>();
    private final Map<Integer, Integer> cuts = new HashMap<>();
    private final List<Link> links = new ArrayList<>();
    private CountDownLatch replies = new CountDownLatch(0);
    private int bursts;
    private int lastBurst = -1;
    private int firedCuts;
    private boolean isSilent;
    private long delayNanos;
    private int sliceBytes = BUFFER_BYTES;
    private long bytesPerSecond = Long.MAX_VALUE;
    private boolean isShut;

    /// One client's connection and the burst that it is in.
    private static final class Link {
        private final Socket client;
        private final Socket server;
        private int burst;
        private boolean isAnswered = true;
        private volatile @Nullable CountDownLatch stranded;

        private Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        private void cut() {
            closeQuietly(client);
            closeQuietly(server);
        }

        private void awaitDelivery() throws InterruptedException {
            CountDownLatch gate = stranded;
            if (gate != null) {
                gate.await();
            }
        }
    }

    public FaultProxy(RedisAddress server) {
        this.server = server;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = Thread.ofVirtual().name("mawashi-proxy-1").start(this::accept);
    }

    /// Where clients connect to instead of the server.
    public RedisAddress address() {
        return RedisAddress.parse(
                "redis://127.0.0.1:" + listening.getLocalPort() + "/" + server.database());
    }

    /// Cuts the connection when a burst is about to be sent, so that the server sees none of it.
    public synchronized void cutBeforeSend(int burst) {
        cuts.put(burst, BEFORE_SEND);
    }

    /// Cuts the connection when so many bytes of a burst's replies have reached the client; with 0
    /// the server has done everything and the client knows nothing.
    public synchronized void cutAfterReplyBytes(int burst, int bytes) {
        cuts.put(burst, bytes);
    }

    /// Cuts the connection once a burst's replies are through: before the next burst of any
    /// connection, or never if there is none.
    public synchronized void cutAfterReplies(int burst) {
        lastBurst = burst;
    }

    /// Holds all replies back until `releaseReplies`.
    public synchronized void holdReplies() {
        replies = new CountDownLatch(1);
    }

    public synchronized void releaseReplies() {
        replies.countDown();
    }

    /// Swallows everything that clients send from now on and leaves their connections open.
    public synchronized void silence() {
        isSilent = true;
    }

    /// Undoes `silence`, for connections that come from now on: what was swallowed is missing in
    /// the others, which are cut.
    public void speak() {
        synchronized (this) {
            isSilent = false;
        }
        cutAll();
    }

    /// Sends new connections to another server, and cuts those that there are.
    public void pointTo(RedisAddress other) {
        server = other;
        cutAll();
    }

    /// Passes replies on that much later.
    public synchronized void delay(Duration time) {
        delayNanos = time.toNanos();
    }

    /// Passes replies on in writes of so many bytes.
    public synchronized void slice(int bytes) {
        sliceBytes = bytes;
    }

    /// Passes so many bytes a second on each connection and each way.
    public synchronized void throttle(long bytesEachSecond) {
        bytesPerSecond = bytesEachSecond;
    }

    /// Lets what clients send on the connections that there are be under way until `deliver`, even
    /// if the client has given its connection up by then. New connections work.
    public synchronized void strand() {
        links.forEach(link -> link.stranded = new CountDownLatch(1));
    }

    /// Lets the server get what is under way; its replies reach whoever is still there.
    public synchronized void deliver() {
        for (Link link : links) {
            CountDownLatch gate = link.stranded;
            if (gate != null) {
                gate.countDown();
            }
        }
    }

    /// Cuts all connections and closes new ones at once, until `admit`.
    public void shut() {
        synchronized (this) {
            isShut = true;
        }
        cutAll();
    }

    public synchronized void admit() {
        isShut = false;
    }

    /// Cuts all connections.
    public synchronized void cutAll() {
        sockets.forEach(FaultProxy::closeQuietly);
        sockets.clear();
        links.removeIf(link -> link.stranded == null);
    }

    /// Bursts seen so far.
    public synchronized int bursts() {
        return bursts;
    }

    /// Cuts that happened so far.
    public synchronized int firedCuts() {
        return firedCuts;
    }

    /// True while a cut that was asked for has not happened.
    public synchronized boolean hasCutAhead() {
        return lastBurst >= 0 || !cuts.isEmpty();
    }

    /// Bytes of a burst's replies seen so far.
    public synchronized int replyBytes(int burst) {
        return replyBytes.getOrDefault(burst, 0);
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listening.accept();
                if (isShut(client)) {
                    continue;
                }
                Socket upstream = connect(client);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                Link link = new Link(client, upstream);
                synchronized (this) {
                    sockets.addAll(List.of(client, upstream));
                    links.add(link);
                }
                Thread.ofVirtual().name("mawashi-proxy-2").start(() -> pumpUp(link));
                Thread.ofVirtual().name("mawashi-proxy-3").start(() -> pumpDown(link));
            } catch (IOException _) {
                if (listening.isClosed()) {
                    return;
                }
            }
        }
    }

    private Socket connect(Socket client) throws IOException {
        RedisAddress to = server;
        try {
            return new Socket(to.host(), to.port());
        } catch (IOException e) {
            // As the server would have refused it.
            closeQuietly(client);
            throw e;
        }
    }

    private synchronized boolean isShut(Socket client) {
        if (isShut) {
            closeQuietly(client);
        }
        return isShut;
    }

    private void pumpUp(Link link) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = link.client.getInputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!maySend(link)) {
                    break;
                }
                link.awaitDelivery();
                if (!isSilent()) {
                    link.server.getOutputStream().write(buffer, 0, length);
                    pace(length);
                }
            }
            if (link.stranded != null) {
                // The server reads all that was under way before it sees the end.
                link.server.shutdownOutput();
                return;
            }
        } catch (IOException _) {
            // Either side is gone; the other follows.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        link.cut();
    }

    private synchronized boolean isSilent() {
        return isSilent;
    }

    private synchronized boolean maySend(Link link) {
        if (link.isAnswered) {
            if (bursts == lastBurst) {
                lastBurst = -1;
                firedCuts++;
                return false;
            }
            link.isAnswered = false;
            link.burst = ++bursts;
        }
        Integer cut = cuts.get(link.burst);
        if (cut != null && cut == BEFORE_SEND) {
            cuts.remove(link.burst);
            firedCuts++;
            return false;
        }
        return true;
    }

    private void pumpDown(Link link) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = link.server.getInputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                awaitRelease();
                Integer cut = cut(link);
                int before = count(link, length);
                int passed = cut == null ? length : Math.min(length, cut - before);
                if (passed > 0) {
                    pass(link, buffer, passed);
                }
                if (cut != null && before + passed >= cut) {
                    fired(link);
                    break;
                }
            }
        } catch (IOException _) {
            // Either side is gone; the other follows.
        }
        link.cut();
    }

    private void pass(Link link, byte[] buffer, int length) throws IOException {
        long delay;
        int slice;
        synchronized (this) {
            delay = delayNanos;
            slice = sliceBytes;
        }
        if (delay > 0) {
            LockSupport.parkNanos(delay);
        }
        OutputStream out = link.client.getOutputStream();
        for (int at = 0; at < length; at += slice) {
            out.write(buffer, at, Math.min(slice, length - at));
        }
        pace(length);
    }

    private void pace(int length) {
        long rate;
        synchronized (this) {
            rate = bytesPerSecond;
        }
        if (rate < Long.MAX_VALUE) {
            LockSupport.parkNanos(length * 1_000_000_000L / rate);
        }
    }

    private synchronized @Nullable Integer cut(Link link) {
        return cuts.get(link.burst);
    }

    private synchronized void fired(Link link) {
        cuts.remove(link.burst);
        firedCuts++;
    }

    /// Notes bytes of a reply and returns how many there were before.
    private synchronized int count(Link link, int length) {
        link.isAnswered = true;
        int before = replyBytes.getOrDefault(link.burst, 0);
        replyBytes.put(link.burst, before + length);
        return before;
    }

    private void awaitRelease() {
        CountDownLatch gate;
        synchronized (this) {
            gate = replies;
        }
        try {
            gate.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is closed for us either way.
        }
    }

    @Override
    public void close() {
        releaseReplies();
        deliver();
        // A connection may still come through the accept that is under way.
        shut();
        try {
            listening.close();
            // Until then a connection may still come through.
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        cutAll();
    }
}
