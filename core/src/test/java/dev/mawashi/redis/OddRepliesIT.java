package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What no Redis of today answers: whatever it is, a call ends with a reply or a `RedisFailure`,
/// and the next one gets its own answer.
final class OddRepliesIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private volatile String logIn = AnsweringServer.LOGGED_IN;
    private volatile String odd = "";
    private final AnsweringServer server = new AnsweringServer(this::answer);
    private final RedisConnection connection =
            new RedisConnection(server.address(), "test", TIMEOUT);

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    private String answer(String command) {
        if (command.contains("ODD")) {
            return odd;
        }
        return command.contains("HELLO") ? logIn : "+OK\r\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
                "\u0015\u0003\u0001\u0000\u0002\u0002F",
                "\r\n",
                ">2\r\n+message\r\n+x\r\n",
                "%1\r\n+a\r\n+b\r\n",
                "~1\r\n+a\r\n",
                "_\r\n",
                "#t\r\n",
                ",1.5\r\n",
                "(123456789012345678901234567890\r\n",
                "=7\r\ntxt:abc\r\n",
                "!5\r\nERR x\r\n",
                "|1\r\n+a\r\n+b\r\n+c\r\n",
                "$-7\r\n",
                "$x\r\n",
                "$3\r\nabcdef\r\n",
                "*-2\r\n",
                "*2\r\n+a\r\n?\r\n",
                ":x\r\n",
                ":99999999999999999999999\r\n",
                "-\r\n",
                "-MOVED\r\n",
                "-MOVED x\r\n",
                "-ASK 1 host\r\n",
                "-NOAUTH\r\n",
            })
    void aCallEndsWithAReplyOrAFailureAndNoOtherGetsWhatIsLeftOfIt(String reply) {
        odd = reply;
        connection.call("PING");

        Throwable thrown = catchThrowable(() -> connection.call("ODD"));

        assertThat(thrown == null || thrown instanceof RedisFailure).as("%s", thrown).isTrue();
        // What was left unread may be noticed by the next call only.
        Throwable next = catchThrowable(() -> assertThat(ping()).isEqualTo("OK"));
        assertThat(next == null || next instanceof RedisFailure).as("%s", next).isTrue();
        assertThat(ping()).isEqualTo("OK");
    }

    /// A web server, one that wants TLS, and others that listen where Redis should.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n\r\n",
                "\u0015\u0003\u0001\u0000\u0002\u0002F",
                "220 mail ESMTP\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "+OK\r\n",
                ":1\r\n",
                "*0\r\n",
                "$-1\r\n",
            })
    void whatIsNoRedisIsToldByItsAddress(String reply) {
        logIn = reply;

        Throwable thrown = catchThrowable(() -> connection.call("PING"));

        assertThat(thrown)
                .isInstanceOf(RedisFailure.class)
                .hasMessageStartingWith("cannot reach redis://127.0.0.1:");
    }

    private String ping() {
        return new String((byte[]) Objects.requireNonNull(connection.call("PING")), UTF_8);
    }

    /// Some servers would have the second line read as the next command's reply.
    @Test
    void anErrorOfTwoLinesIsOneReply() {
        try (RedisServerForTests redis = new RedisServerForTests();
                RedisConnection real = redis.connect()) {
            Throwable thrown =
                    catchThrowable(() ->
                            real.call(
                                    "EVAL", "return redis.error_reply('ERR a\\r\\n+forged')", "0"));

            assertThat(thrown).isInstanceOf(RedisFailure.class);
            assertThat(real.call("ECHO", "own")).isEqualTo(RedisConnection.ascii("own"));
        }
    }
}
