package dev.mawashi.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.Eventually;
import dev.mawashi.acceptance.Programs;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Redis, servers that work on it, and the figures of both.
final class Place implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration SETTLED = Duration.ofSeconds(15);
    private static final Duration WATCHED = Duration.ofSeconds(30);
    private static final int TOGETHER = 5_000;
    private static final Pattern CALLS = Pattern.compile("total_commands_processed:(\\d+)");
    private static final Pattern COLLECTED = Pattern.compile(" (\\d+)M->");

    private final Path folder = Files.createTempDirectory("mawashi-limits-");
    private final RedisServerForTests server = new RedisServerForTests();
    private final RedisConnection redis =
            new RedisConnection(server.address(), "limits", Duration.ofSeconds(60));
    private final Programs programs = new Programs(folder, server.url());
    private final Path app = Files.writeString(folder.resolve("app.rb"), APP);
    private final String collections = folder.resolve("gc.log").toString();
    private long begunNanos = System.nanoTime();
    private int queued;
    private boolean hasServer;

    private static final String APP =
            """
            require "sidekiq"
            class NoopJob
              include Sidekiq::Worker
              def perform(*) = nil
            end
            """;

    Place() throws IOException {}

    /// Starts a server on these queues, with one MRI child of ten threads.
    void serve(List<String> queues) {
        List<String> words = new ArrayList<>(List.of("run", "-r", app.toString()));
        words.addAll(List.of("--runner", "mri", "--processes", "1", "-c", "10"));
        for (String queue : queues) {
            words.addAll(List.of("-q", queue));
        }
        Map<String, String> flags =
                hasServer ? Map.of() : Map.of("JAVA_TOOL_OPTIONS", "-Xlog:gc:file=" + collections);
        hasServer = true;
        programs.mawashi(flags, words.toArray(String[]::new)).awaitLog("working on");
    }

    /// @param filling bytes of its argument
    String job(int number, int filling) {
        return "{\"class\":\"NoopJob\",\"jid\":\"%024d\",\"retry\":true,\"queue\":\"default\",\"args\":[\"%s\"]}"
                .formatted(number, "x".repeat(filling));
    }

    void push(String side, String queue, String job) {
        queue(side, "queue:" + queue, job);
    }

    void schedule(long due, String job) {
        queue("ZADD", "schedule", "" + due, job);
    }

    private void queue(String... words) {
        redis.queue(Stream.of(words).map(RedisConnection::utf8).toArray(byte[][]::new));
        if (++queued % TOGETHER == 0) {
            redis.flush();
        }
    }

    void flush() {
        redis.queue(RedisConnection.utf8("PING"));
        redis.flush();
    }

    /// From now on is measured.
    void begin() {
        redis.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        redis.call("CONFIG", "SET", "slowlog-max-len", "200000");
        redis.call("SLOWLOG", "RESET");
        begunNanos = System.nanoTime();
    }

    /// Waits until no job waits or is in hand.
    ///
    /// @return seconds that it took
    double awaitDone() {
        Eventually.until("all are done", LIMIT, this::isDone);
        return (System.nanoTime() - begunNanos) / 1e9;
    }

    private boolean isDone() {
        Object left =
                redis.call(
                        "EVAL",
                        """
                        for _, queue in ipairs(redis.call('KEYS', 'queue:*')) do
                          return 1
                        end
                        for _, hash in ipairs(redis.call('KEYS', 'mw:*}:inflight:*')) do
                          if redis.call('HLEN', hash) > redis.call('HEXISTS', hash, 'floor') then
                            return 1
                          end
                        end
                        return redis.call('ZCOUNT', 'schedule', '-inf', 3000000000)
                        """,
                        "0");
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        return Objects.equals(left, 0L);
    }

    /// The longest run of a script, our own look left out, and which it was.
    String longestScript() {
        long longest = 0;
        String which = "";
        for (Object entry : (List<?>) Objects.requireNonNull(redis.call("SLOWLOG", "GET", "-1"))) {
            List<?> fields = (List<?>) entry;
            List<?> words = (List<?>) fields.get(3);
            long micros = (Long) Objects.requireNonNull(fields.get(2));
            boolean isScript = text(words.get(0)).equalsIgnoreCase("EVALSHA");
            if (isScript && micros > longest) {
                longest = micros;
                which = Scripts.name(text(words.get(1)));
            }
        }
        return String.format(Locale.ROOT, "%.1f ms (%s)", longest / 1e3, which);
    }

    private static String text(Object value) {
        return new String((byte[]) value, UTF_8);
    }

    /// As much as was in use when a collection began.
    String peakHeap() {
        try {
            Matcher found = COLLECTED.matcher(Files.readString(Path.of(collections)));
            long peak =
                    found.results().mapToLong(one -> Long.parseLong(one.group(1))).max().orElse(0);
            return peak == 0 ? "never full" : peak + " MB";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Of all servers, once they have settled; blocked ones that wait are none.
    double commandsPerSecond() {
        LockSupport.parkNanos(SETTLED.toNanos());
        long before = commands();
        long start = System.nanoTime();
        LockSupport.parkNanos(WATCHED.toNanos());
        // Less the one that asks.
        return (commands() - before - 1) / ((System.nanoTime() - start) / 1e9);
    }

    private long commands() {
        Matcher found = CALLS.matcher(text(Objects.requireNonNull(redis.call("INFO", "stats"))));
        if (!found.find()) {
            throw new IllegalStateException("no total_commands_processed");
        }
        return Long.parseLong(found.group(1));
    }

    @Override
    public void close() {
        programs.close();
        redis.close();
        server.close();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(f -> f.delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
