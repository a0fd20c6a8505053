package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A connection to a real Redis through a proxy that can break it.
abstract class ProxiedConnection {
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /// A thread that has not ended by then hangs.
    static final Duration END_MAX = Duration.ofSeconds(30);

    final FaultProxy proxy;
    final RedisConnection connection;
    private final RedisServerForTests server;

    ProxiedConnection(RedisServerForTests server) {
        this.server = server;
        proxy = new FaultProxy(server.address());
        connection = new RedisConnection(proxy.address(), "test", TIMEOUT);
    }

    @BeforeEach
    void emptyServer() {
        server.flushAll();
    }

    @AfterEach
    void close() {
        connection.close();
        proxy.close();
    }

    static @Nullable String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : null;
    }

    /// What the server replies to a command that does not go through the proxy.
    @Nullable String direct(String... command) {
        try (RedisConnection redis = server.connect()) {
            return text(redis.call(command));
        }
    }

    static RedisFailure failure(ThrowingCallable call) {
        return catchThrowableOfType(RedisFailure.class, call);
    }

    static RedisFailure.Kind kind(ThrowingCallable call) {
        return failure(call).kind();
    }

    /// The number that the next burst of this connection gets.
    int nextBurst() {
        connection.call("PING");
        return proxy.bursts() + 1;
    }

    static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = RedisConnection.utf8(words[i]);
        }
        return bytes;
    }
}
