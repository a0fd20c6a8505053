package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.UnaryOperator;

/// What listens where Redis should, and answers each command as a test says. Bytes are told as
/// Latin-1.
public final class AnsweringServer implements AutoCloseable {
    /// What a Redis answers to a log-in.
    public static final String LOGGED_IN = "*2\r\n$5\r\nproto\r\n:2\r\n";

    private final UnaryOperator<String> answers;
    private final ServerSocket listening;

    /// @param answers by the bytes of a command, which must come in one piece
    public AnsweringServer(UnaryOperator<String> answers) {
        this.answers = answers;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("mawashi-test-1").start(this::serve);
    }

    public RedisAddress address() {
        return RedisAddress.parse("redis://127.0.0.1:" + listening.getLocalPort());
    }

    /// One client at a time.
    private void serve() {
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                answer(client);
            } catch (IOException _) {
                // The client is gone, or the test is over.
            }
        }
    }

    private void answer(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        byte[] buffer = new byte[4096];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            String commands = new String(buffer, 0, read, ISO_8859_1);
            for (String command : commands.split("(?=\\*\\d+\r\n)", -1)) {
                client.getOutputStream().write(answers.apply(command).getBytes(ISO_8859_1));
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
