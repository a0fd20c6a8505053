package dev.mawashi.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/// A port on loopback that no other program is given while this holds it: a server that is to
/// listen there may start late, or again. Until it listens, connections are refused.
///
/// The socket that holds it only has the address and never listens, and allows others that ask for
/// this very port, as servers do.
public final class HeldPort implements AutoCloseable {
    private final Socket socket = new Socket();

    public HeldPort() {
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
