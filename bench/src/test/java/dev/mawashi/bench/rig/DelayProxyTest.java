package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DelayProxyTest {
    private static final Duration DELAY = Duration.ofMillis(30);

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /// Sends everything back, and ends when its client does.
    private static void echo(ServerSocket listening) {
        try (Socket socket = listening.accept()) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException _) {
            // The test is over.
        }
    }

    @Test
    void bytesArriveAsTheyWereAndLaterInBothDirections() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                DelayProxy proxy = DelayProxy.start(listening.getLocalPort(), DELAY)) {
            Thread.ofVirtual().name("mawashi-echo-1").start(() -> echo(listening));
            try (Socket client = connect(proxy.port())) {
                byte[] sent = new byte[300_000];
                new Random(1).nextBytes(sent);
                long began = System.nanoTime();
                Thread.ofVirtual()
                        .name("mawashi-send-1")
                        .start(() -> {
                            try {
                                client.getOutputStream().write(sent);
                            } catch (IOException _) {
                                // What is missing is seen below.
                            }
                        });
                byte[] received = client.getInputStream().readNBytes(sent.length);
                assertThat(received).isEqualTo(sent);
                assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(2 * DELAY.toNanos());
            }
        }
    }

    @Test
    void theEndOfTheServerReachesTheClient() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                DelayProxy proxy = DelayProxy.start(listening.getLocalPort(), DELAY);
                Socket client = connect(proxy.port())) {
            listening.accept().close();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }
}
