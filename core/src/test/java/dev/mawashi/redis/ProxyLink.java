package dev.mawashi.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// One client's connection through a `FaultProxy`: a thread passes on what the client sends,
/// another what the server replies. When either ends, both sockets are closed.
final class ProxyLink {
    private final Socket client;
    private final Socket server;
    private final ProxyFaults faults;
    private final ProxyFaults.Position position = new ProxyFaults.Position();

    /// Closed while what the client sends is under way; null if it never was held up.
    private volatile @Nullable CountDownLatch stranded;

    ProxyLink(Socket client, Socket server, ProxyFaults faults) {
        this.client = client;
        this.server = server;
        this.faults = faults;
    }

    void start() {
        Thread.ofVirtual().name("mawashi-proxy-2").start(this::pumpUp);
        Thread.ofVirtual().name("mawashi-proxy-3").start(this::pumpDown);
    }

    void strand() {
        stranded = new CountDownLatch(1);
    }

    boolean isStranded() {
        return stranded != null;
    }

    void deliver() {
        CountDownLatch gate = stranded;
        if (gate != null) {
            gate.countDown();
        }
    }

    void cut() {
        closeQuietly(client);
        closeQuietly(server);
    }

    static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is closed for us either way.
        }
    }

    private void pumpUp() {
        byte[] buffer = new byte[ProxyFaults.BUFFER_BYTES];
        try (InputStream in = client.getInputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                boolean isFirst = faults.isAnswered(position);
                if (!faults.maySend(position)) {
                    break;
                }
                awaitDelivery();
                if (isFirst) {
                    faults.awaitStray(position);
                }
                if (!faults.isSilent()) {
                    server.getOutputStream().write(buffer, 0, length);
                    faults.pace(length);
                }
            }
            if (stranded != null) {
                // The server reads all that was under way before it sees the end.
                server.shutdownOutput();
                return;
            }
        } catch (IOException _) {
            // Either side is gone; the other follows.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        cut();
    }

    private void awaitDelivery() throws InterruptedException {
        CountDownLatch gate = stranded;
        if (gate != null) {
            gate.await();
        }
    }

    private void pumpDown() {
        byte[] buffer = new byte[ProxyFaults.BUFFER_BYTES];
        try (InputStream in = server.getInputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                faults.awaitRelease();
                Integer cut = faults.cut(position);
                int before = faults.count(position, length);
                int passed = cut == null ? length : Math.min(length, cut - before);
                if (before == 0) {
                    faults.awaitStray(position);
                }
                if (passed > 0) {
                    pass(buffer, passed);
                }
                if (cut != null && before + passed >= cut) {
                    faults.fired(position);
                    break;
                }
            }
        } catch (IOException _) {
            // Either side is gone; the other follows.
        }
        cut();
    }

    private void pass(byte[] buffer, int length) throws IOException {
        int slice = faults.awaitDelay();
        OutputStream out = client.getOutputStream();
        for (int at = 0; at < length; at += slice) {
            out.write(buffer, at, Math.min(slice, length - at));
        }
        faults.pace(length);
    }
}
