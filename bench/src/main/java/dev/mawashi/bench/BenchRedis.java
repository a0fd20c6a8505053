package dev.mawashi.bench;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The Redis of a benchmark: a server of its own on the loopback, without persistence, the same one
/// for everybody.
final class BenchRedis implements AutoCloseable {
    static final String QUEUE = "default";

    private static final Duration REPLY_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final int PUSHED_TOGETHER = 500;
    private static final int PUSHES_PIPELINED = 20;

    private final EmbeddedRedis server;
    private final RedisConnection connection;

    private BenchRedis(EmbeddedRedis server) {
        this.server = server;
        connection = connect();
    }

    /// Starts the machine's own Redis or Valkey, or the bundled one where there is none.
    static BenchRedis start(Map<String, String> environment) {
        EmbeddedRedis server = EmbeddedRedis.temporary(environment);
        server.start();
        BenchRedis redis = new BenchRedis(server);
        redis.connection.call("CONFIG", "SET", "appendonly", "no");
        return redis;
    }

    /// A connection more.
    RedisConnection connect() {
        return new RedisConnection(RedisAddress.parse(url()), "mawashi-bench", REPLY_MAX);
    }

    /// Where it answers, password and all.
    String url() {
        return server.url().toString();
    }

    int port() {
        return server.port();
    }

    /// What it is, such as `7.0.15 (/usr/bin/redis-server), no persistence`.
    String description() {
        String program = info("executable");
        return info("redis_version") + " (" + program + "), no persistence";
    }

    /// Throws everything away.
    void clear() {
        connection.call("FLUSHALL", "SYNC");
    }

    /// Enqueues the first `jobs` payloads; to be called again, since jobs may be equal.
    void enqueue(int jobs, Payloads payloads, Intake intake) {
        connection.call("SADD", intake.queues(), QUEUE);
        int number = 1;
        while (number <= jobs) {
            for (int i = 0; i < PUSHES_PIPELINED && number <= jobs; i++) {
                int count = Math.min(PUSHED_TOGETHER, jobs - number + 1);
                connection.queue(push(number, count, payloads, intake));
                number += count;
            }
            connection.flush();
        }
    }

    /// Throws everything away and enqueues the first `jobs` payloads.
    void fill(int jobs, Payloads payloads, Intake intake) {
        clear();
        if (intake == Intake.NONE) {
            return;
        }
        enqueue(jobs, payloads, intake);
        if (size("LLEN", intake.queue()) != jobs) {
            throw new BenchFailure(
                    "Redis did not take " + jobs + " jobs: is there memory enough for them?");
        }
    }

    /// Empties a queue.
    ///
    /// @return how many jobs it held
    long drain(Intake intake) {
        long jobs = size("LLEN", intake.queue());
        connection.call("DEL", intake.queue());
        return jobs;
    }

    private static byte[][] push(int first, int count, Payloads payloads, Intake intake) {
        byte[][] command = new byte[2 + count][];
        command[0] = ascii(intake.push());
        command[1] = Keys.bytes(intake.queue());
        for (int i = 0; i < count; i++) {
            command[2 + i] = payloads.payload(first + i, intake);
        }
        return command;
    }

    /// Where jobs still are, such as `3 in queue:default`; empty when there are none.
    String leftovers() {
        StringBuilder found = new StringBuilder();
        for (String list : List.of(Keys.queue(QUEUE), Intake.RESQUE.queue(), "resque:failed")) {
            note(found, size("LLEN", list), list);
        }
        note(found, size("LLEN", Keys.arrivals(QUEUE)), "arrivals");
        for (String set : List.of(Keys.RETRY, Keys.DEAD, Keys.SCHEDULE)) {
            note(found, size("ZCARD", set), set);
        }
        Object stores = connection.call("KEYS", Keys.inflight("*", "*").replaceAll("[{}]", "?"));
        for (Object store : stores instanceof List<?> keys ? keys : List.of()) {
            String key = new String((byte[]) store, StandardCharsets.UTF_8);
            // The field `floor` is no job.
            note(found, size("HLEN", key) - size("HEXISTS", key, "floor"), "in flight");
        }
        return found.toString();
    }

    private static void note(StringBuilder found, long jobs, String place) {
        if (jobs > 0) {
            found.append(found.isEmpty() ? "" : ", ").append(jobs).append(" in ").append(place);
        }
    }

    private long size(String... command) {
        return connection.call(command) instanceof Long size ? size : 0;
    }

    /// CPU seconds that the server has used since its start.
    double cpuSeconds() {
        return Double.parseDouble(info("used_cpu_user")) + Double.parseDouble(info("used_cpu_sys"));
    }

    /// Commands that the server has done since its start, those inside scripts too.
    long commands() {
        return Long.parseLong(info("total_commands_processed"));
    }

    /// How often the server has read from a connection since its start: what a client sends
    /// together is one read.
    long reads() {
        return Long.parseLong(info("total_reads_processed"));
    }

    /// Makes a user that can do nothing but measure, for a program that takes its password on the
    /// command line.
    ///
    /// @return its password
    String allowOnly(String user, String... rules) {
        byte[] bytes = new byte[16];
        ThreadLocalRandom.current().nextBytes(bytes);
        String password = HexFormat.of().formatHex(bytes);
        String[] command = new String[5 + rules.length];
        System.arraycopy(
                new String[] {"ACL", "SETUSER", user, "on", ">" + password}, 0, command, 0, 5);
        System.arraycopy(rules, 0, command, 5, rules.length);
        connection.call(command);
        return password;
    }

    private String info(String field) {
        @Nullable Object reply = connection.call("INFO");
        String text = reply instanceof byte[] b ? new String(b, StandardCharsets.UTF_8) : "";
        return text.lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElse("0");
    }

    @Override
    public void close() {
        connection.close();
        server.stop(STOP_PATIENCE);
    }
}
