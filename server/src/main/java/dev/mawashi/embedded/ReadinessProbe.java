package dev.mawashi.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Asks a server on this machine whether it is ready, that is, whether it has loaded its data.
record ReadinessProbe(int port, String password) {
    private static final int ANSWER_MS_MAX = 1_000;

    /// False while nothing listens or the server still loads.
    boolean isAnswered() {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), ANSWER_MS_MAX);
            socket.setSoTimeout(ANSWER_MS_MAX);
            String question = "AUTH " + password + "\r\nPING\r\n";
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            @Nullable String login = answers.readLine();
            return "+OK".equals(login) && "+PONG".equals(answers.readLine());
        } catch (IOException _) {
            return false; // Not yet; whoever asks has a limit.
        }
    }
}
