package dev.mawashi.bench.rig;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.embedded.EmbeddedRedis;
import dev.mawashi.redis.KeyScan;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The Redis of a benchmark: a server of its own on the loopback, without persistence, the same one
/// for everybody.
public final class BenchRedis implements AutoCloseable {
    public static final String QUEUE = "default";

    private static final Duration REPLY_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final int PUSHED_TOGETHER = 500;
    private static final long BYTES_PIPELINED = 2_000_000;
    private static final String STAGED = "staged:";
    private static final Duration STATE_LOOK = Duration.ofMillis(20);
    private static final Duration STATE_MAX = Duration.ofSeconds(30);

    private final EmbeddedRedis server;
    private final RedisConnection connection;

    /// Knows nothing of a Cluster.
    private final RedisConnection plain;

    private final String url;

    private BenchRedis(EmbeddedRedis server, String url) {
        this.server = server;
        this.url = url;
        connection = connect(url);
        plain = connect(server.url().toString());
    }

    private static RedisConnection connect(String url) {
        return new RedisConnection(RedisAddress.parse(url), "mawashi-bench", REPLY_MAX);
    }

    /// Starts the machine's own Redis or Valkey, or the bundled one where there is none.
    public static BenchRedis start(Map<String, String> environment) {
        EmbeddedRedis server = EmbeddedRedis.temporary(environment);
        server.start();
        BenchRedis redis = new BenchRedis(server, server.url().toString());
        redis.plain.call("CONFIG", "SET", "appendonly", "no");
        return redis;
    }

    /// The same as the one node of a Cluster.
    public static BenchRedis startCluster(Map<String, String> environment) {
        EmbeddedRedis server = EmbeddedRedis.temporaryNode(environment);
        server.start();
        String url = server.url().toString().replace("redis://", "redis+cluster://");
        BenchRedis redis = new BenchRedis(server, url.replaceFirst("/0$", "/bench"));
        redis.plain.call("CONFIG", "SET", "appendonly", "no");
        redis.plain.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        redis.awaitState();
        return redis;
    }

    private void awaitState() {
        long end = System.nanoTime() + STATE_MAX.toNanos();
        while (!(plain.call("CLUSTER", "INFO") instanceof byte[] info)
                || !new String(info, StandardCharsets.UTF_8).contains("cluster_state:ok")) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the Cluster is not up after " + STATE_MAX);
            }
            LockSupport.parkNanos(STATE_LOOK.toNanos());
        }
    }

    /// Where it answers, password and all.
    public String url() {
        return url;
    }

    public int port() {
        return server.port();
    }

    /// What it is, such as `7.0.15 (/usr/bin/redis-server), no persistence`.
    public String description() {
        return info("redis_version") + " (" + info("executable") + "), no persistence";
    }

    /// Names of queues, of which the first is [#QUEUE].
    public static List<String> queues(int count) {
        List<String> names = new ArrayList<>(List.of(QUEUE));
        for (int i = 1; i < count; i++) {
            names.add("queue" + i);
        }
        return names;
    }

    /// Deletes everything.
    void clear() {
        plain.call("FLUSHALL", "SYNC");
    }

    /// Enqueues the first `jobs` payloads; each call enqueues the same ones again.
    public void enqueue(int jobs, Payloads payloads, JobSource intake) {
        connection.call("SADD", intake.queues, QUEUE);
        List<byte[]> head = List.of(ascii(intake.push), ascii(intake.queue));
        push(head, 1, jobs, number -> List.of(payloads.payload(number, intake)));
    }

    /// Enqueues one job.
    public void enqueue(byte[] payload, JobSource intake) {
        connection.call(ascii(intake.push), ascii(intake.queue), payload);
    }

    /// How many servers are in Redis's set of processes.
    long servers() {
        return size("SCARD", Keys.PROCESSES);
    }

    /// Makes lists of jobs in Sidekiq's form that nobody reads before [#release]: `jobs` in all, as
    /// many in each.
    ///
    /// @param jobs a multiple of the number of queues
    void stage(int jobs, Payloads payloads, List<String> queues) {
        int each = jobs / queues.size();
        for (int i = 0; i < queues.size(); i++) {
            String queue = queues.get(i);
            List<byte[]> head = List.of(ascii(JobSource.SIDEKIQ.push), ascii(STAGED + queue));
            push(
                    head,
                    1 + (long) i * each,
                    each,
                    number -> List.of(payloads.payload(number, JobSource.SIDEKIQ, queue)));
        }
    }

    /// Renames the staged lists to the queues, which are empty, so that a long queue appears at
    /// once.
    void release(List<String> queues) {
        for (String queue : queues) {
            connection.queue(ascii("SADD"), ascii(Keys.QUEUES), ascii(queue));
            connection.queue(ascii("RENAME"), ascii(STAGED + queue), ascii(Keys.queue(queue)));
        }
        connection.flush();
    }

    /// Sends the same command with item after item, many at a time.
    ///
    /// @param head the command and its key
    /// @param item the words of the n-th
    void push(List<byte[]> head, long first, int count, LongFunction<List<byte[]>> item) {
        long number = first;
        long bytes = 0;
        while (number < first + count) {
            long end = Math.min(first + count, number + PUSHED_TOGETHER);
            List<byte[]> words = new ArrayList<>(head);
            while (number < end && bytes < BYTES_PIPELINED) {
                List<byte[]> more = item.apply(number++);
                words.addAll(more);
                bytes += more.getLast().length;
            }
            connection.queue(words.toArray(byte[][]::new));
            if (bytes >= BYTES_PIPELINED) {
                connection.flush();
                bytes = 0;
            }
        }
        connection.flush();
    }

    /// Deletes everything and enqueues the first `jobs` payloads.
    void fill(int jobs, Payloads payloads, JobSource intake) {
        clear();
        if (intake == JobSource.NONE) {
            return;
        }
        enqueue(jobs, payloads, intake);
        if (size("LLEN", intake.queue) != jobs) {
            throw new BenchFailure(
                    "Redis did not take " + jobs + " jobs: is there memory enough for them?");
        }
    }

    /// Empties a queue.
    ///
    /// @return how many jobs it held
    long drain(String list) {
        long jobs = size("LLEN", list);
        connection.call("DEL", list);
        return jobs;
    }

    /// Where jobs still are, such as `3 in queue:default`; empty when there are none.
    String leftovers() {
        StringBuilder found = new StringBuilder();
        for (String list : List.of(Keys.queue(QUEUE), JobSource.RESQUE.queue, "resque:failed")) {
            note(found, size("LLEN", list), list);
        }
        for (String set : List.of(Keys.RETRY, Keys.DEAD, Keys.SCHEDULE)) {
            note(found, size("ZCARD", set), set);
        }
        for (String key : keys(Keys.inflight("*", "*"))) {
            // The hash's field `floor` is no job.
            note(found, size("HLEN", key) - size("HEXISTS", key, "floor"), "in flight");
        }
        for (String list : keys(Keys.arrivals("*", "*"))) {
            note(found, size("LLEN", list), "arrivals");
        }
        return found.toString();
    }

    private Set<String> keys(String pattern) {
        return new KeyScan(connection, pattern.replaceAll("[{}]", "?")).all();
    }

    /// The keys that there are, and their bytes.
    KeyUse keyUse() {
        List<String> names = List.copyOf(keys("*"));
        names.forEach(name ->
                connection.queue(
                        ascii("MEMORY"),
                        ascii("USAGE"),
                        name.getBytes(StandardCharsets.UTF_8),
                        ascii("SAMPLES"),
                        ascii("0")));
        List<@Nullable Object> sizes = names.isEmpty() ? List.of() : connection.flush();
        KeyUse use = KeyUse.NONE;
        for (int i = 0; i < names.size(); i++) {
            use = sizes.get(i) instanceof Long bytes ? use.plus(names.get(i), bytes) : use;
        }
        return use;
    }

    private static void note(StringBuilder found, long jobs, String place) {
        if (jobs > 0) {
            found.append(found.isEmpty() ? "" : ", ").append(jobs).append(" in ").append(place);
        }
    }

    /// What Redis answers.
    @Nullable Object call(String... command) {
        return connection.call(command);
    }

    /// The text that it answers.
    String text(String... command) {
        return call(command) instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
    }

    /// The number that it answers.
    long size(String... command) {
        return connection.call(command) instanceof Long size ? size : 0;
    }

    /// CPU seconds that the server has used since its start.
    double cpuSeconds() {
        return Double.parseDouble(info("used_cpu_user")) + Double.parseDouble(info("used_cpu_sys"));
    }

    /// Commands that the server has done since its start, those inside scripts too.
    public long commands() {
        return Long.parseLong(info("total_commands_processed"));
    }

    /// How often the server has read from a connection since its start: what a client sends
    /// together is one read.
    public long reads() {
        return Long.parseLong(info("total_reads_processed"));
    }

    private String info(String field) {
        return text("INFO")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElse("0");
    }

    @Override
    public void close() {
        connection.close();
        plain.close();
        server.stop(STOP_PATIENCE);
    }
}
