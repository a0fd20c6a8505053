package dev.mawashi.cli;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Calls `mawashi` as an operator does, nobody before the terminal, on a real Redis that is empty
/// before each test.
final class CommandRig implements BeforeEachCallback, AfterAllCallback {
    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis = server.connect();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Override
    public void beforeEach(ExtensionContext test) {
        server.flushAll();
    }

    /// @return the exit code
    int run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /// @param environment besides the URL of the Redis
    /// @return the exit code
    int run(Map<String, String> environment, String... arguments) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("REDIS_URL", server.url());
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(
                List.of(arguments),
                variables,
                new PrintWriter(out, true),
                new PrintWriter(err, true));
    }

    /// What the last command printed to stdout.
    StringWriter out() {
        return out;
    }

    /// What the last command printed to stderr.
    StringWriter err() {
        return err;
    }

    RedisConnection redis() {
        return redis;
    }

    String url() {
        return server.url();
    }

    RedisAddress address() {
        return server.address();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        redis.close();
        server.close();
    }
}
