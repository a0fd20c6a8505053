package dev.mawashi.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/// Says to a server what no library would send. Each letter is a byte.
public final class RawHttp {
    private static final int PATIENCE_MILLIS = 30_000;

    private RawHttp() {}

    /// A GET after which the server closes.
    ///
    /// @param more whole lines of the head
    public static String get(String target, String... more) {
        return "GET "
                + target
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + lines(more);
    }

    private static String lines(String... lines) {
        return lines.length == 0 ? "\r\n" : String.join("\r\n", lines) + "\r\n\r\n";
    }

    public static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// Sends it and reads all that comes back, until the server closes.
    public static String say(int port, String request) throws IOException {
        try (Socket socket = connect(port)) {
            send(socket, request);
            return read(socket);
        }
    }

    /// A server may close before all is sent.
    public static void send(Socket socket, String bytes) {
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            // What it said before can still be read, and that is what tests look at.
        }
    }

    /// All that comes until the server closes, or resets since it was sent more than it wants.
    public static String read(Socket socket) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] some = new byte[1 << 16];
        try {
            int count = socket.getInputStream().read(some);
            while (count >= 0) {
                all.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
                count = socket.getInputStream().read(some);
            }
        } catch (SocketException _) {
            // The end.
        }
        return all.toString();
    }
}
