package dev.mawashi.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A TCP proxy that breaks connections at chosen points. It knows nothing of Redis's protocol, only
/// that a client sends a burst of commands and then waits for their replies. Bursts are numbered
/// from 1 over all connections, log-in included.
///
/// A test says here what is to go wrong; `ProxyFaults` keeps that, and each `ProxyLink` does it.
public final class FaultProxy implements AutoCloseable {
    private volatile RedisAddress server;
    private final Thread accepting;
    private final ServerSocket listening;
    private final ProxyFaults faults = new ProxyFaults();
    private final List<ProxyLink> links = new ArrayList<>();
    private boolean isShut;

    public FaultProxy(RedisAddress server) {
        this(server, "127.0.0.1", 0);
    }

    /// @param host an address of this machine, at which it listens
    /// @param port 0 for any
    public FaultProxy(RedisAddress server, String host, int port) {
        this.server = server;
        try {
            listening = new ServerSocket(port, 50, InetAddress.getByName(host));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = Thread.ofVirtual().name("mawashi-proxy-1").start(this::accept);
    }

    /// Where clients connect to instead of the server.
    public RedisAddress address() {
        return RedisAddress.parse(
                "redis://"
                        + listening.getInetAddress().getHostAddress()
                        + ":"
                        + listening.getLocalPort()
                        + "/"
                        + server.database());
    }

    /// Cuts the connection when a burst is about to be sent, so that the server sees none of it.
    public void cutBeforeSend(int burst) {
        faults.cutBeforeSend(burst);
    }

    /// Cuts the connection when so many bytes of a burst's replies have reached the client; with 0
    /// the server has done everything and the client knows nothing.
    public void cutAfterReplyBytes(int burst, int bytes) {
        faults.cutAfterReplyBytes(burst, bytes);
    }

    /// Cuts the connection once a burst's replies are through: before the next burst of any
    /// connection, or never if there is none.
    public void cutAfterReplies(int burst) {
        faults.cutAfterReplies(burst);
    }

    /// Holds all replies back until `releaseReplies`.
    public void holdReplies() {
        faults.holdReplies();
    }

    public void releaseReplies() {
        faults.releaseReplies();
    }

    /// Swallows everything that clients send from now on and leaves their connections open.
    public void silence() {
        faults.silence(true);
    }

    /// Undoes `silence`, for connections that come from now on: what was swallowed is missing in
    /// the others, which are cut.
    public void speak() {
        faults.silence(false);
        cutAll();
    }

    /// Sends new connections to another server, and cuts those that there are.
    public void pointTo(RedisAddress other) {
        server = other;
        cutAll();
    }

    /// Passes replies on that much later.
    public void delay(Duration time) {
        faults.delay(time);
    }

    /// Passes on one burst in ten, and the replies of one in ten, at a random time up to this
    /// later.
    public void stray(Duration max) {
        faults.stray(max);
    }

    /// Passes replies on in writes of so many bytes.
    public void slice(int bytes) {
        faults.slice(bytes);
    }

    /// Passes so many bytes per second on each connection and each way.
    public void throttle(long bytesEachSecond) {
        faults.throttle(bytesEachSecond);
    }

    /// Lets what clients send on the connections that there are be under way until `deliver`, even
    /// if the client has given its connection up by then. New connections work.
    public synchronized void strand() {
        links.forEach(ProxyLink::strand);
    }

    /// Lets the server get what is under way; its replies reach whoever is still there.
    public synchronized void deliver() {
        links.forEach(ProxyLink::deliver);
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
        links.forEach(ProxyLink::cut);
        links.removeIf(link -> !link.isStranded());
    }

    /// Bursts seen so far.
    public int bursts() {
        return faults.bursts();
    }

    /// Cuts that happened so far.
    public int firedCuts() {
        return faults.firedCuts();
    }

    /// True while a cut that was asked for has not happened.
    public boolean hasCutAhead() {
        return faults.hasCutAhead();
    }

    /// Bytes of a burst's replies seen so far.
    public int replyBytes(int burst) {
        return faults.replyBytes(burst);
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
                ProxyLink link = new ProxyLink(client, upstream, faults);
                synchronized (this) {
                    links.add(link);
                }
                link.start();
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
            ProxyLink.closeQuietly(client);
            throw e;
        }
    }

    private synchronized boolean isShut(Socket client) {
        if (isShut) {
            ProxyLink.closeQuietly(client);
        }
        return isShut;
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
