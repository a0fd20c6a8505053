package dev.mawashi.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A Redis for the tests of a class, which each of them finds empty, and a connection to it. To be
/// registered as a static extension.
public final class FreshRedis implements BeforeEachCallback, AfterAllCallback {
    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection connection = server.connect();

    @Override
    public void beforeEach(ExtensionContext context) {
        server.flushAll();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        connection.close();
        server.close();
    }

    public RedisServerForTests server() {
        return server;
    }

    public @Nullable Object call(String... command) {
        return connection.call(command);
    }

    public @Nullable Object call(byte[]... command) {
        return connection.call(command);
    }

    /// What a key or field holds, as text; "" for nothing.
    public String text(String... command) {
        return text(call(command));
    }

    public static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes
                ? new String(bytes, UTF_8)
                : Objects.toString(reply, "");
    }
}
