package dev.mawashi.figures;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads Resque's queues and workers, ours among them. One thread's.
///
/// Where this Redis user may not read Resque's keys, or they are something else, there are none.
public final class ResqueReader implements AutoCloseable {
    public static final int QUEUES_MAX = 1_000;
    public static final int WORKERS_MAX = 1_000;

    private final RedisConnection connection;
    private final ResqueKeys keys;

    public ResqueReader(RedisConnection connection, ResqueKeys keys) {
        this.connection = connection;
        this.keys = keys;
    }

    /// @throws dev.mawashi.redis.RedisFailure when Redis does not answer
    public ResqueStats stats() {
        List<ResqueStats.Worker> workers = workers();
        List<String> names = names(keys.queues(), QUEUES_MAX);
        names.forEach(name -> queue("LLEN", keys.layout().queue(name)));
        List<@Nullable Object> sizes = names.isEmpty() ? List.of() : connection.flush();
        List<ResqueStats.Queue> queues = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            long serving = workers.stream().filter(worker -> serves(worker, name)).count();
            queues.add(
                    new ResqueStats.Queue(
                            name,
                            sizes.get(i) instanceof Long size ? size : 0,
                            serving,
                            sizes.get(i) instanceof Long));
        }
        return new ResqueStats(queues, workers);
    }

    private List<ResqueStats.Worker> workers() {
        List<String> ids = names(keys.workers(), WORKERS_MAX);
        for (String id : ids) {
            queue("GET", keys.workerStarted(id));
            queue("HGET", keys.heartbeats(), id);
            queue("EXISTS", keys.worker(id));
        }
        List<@Nullable Object> replies = ids.isEmpty() ? List.of() : connection.flush();
        List<ResqueStats.Worker> workers = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            workers.add(
                    new ResqueStats.Worker(
                            ids.get(i),
                            List.of(ids.get(i).replaceFirst("^[^:]*:[^:]*:?", "").split(",", -1)),
                            text(replies.get(3 * i)),
                            text(replies.get(3 * i + 1)),
                            Long.valueOf(1).equals(replies.get(3 * i + 2))));
        }
        return workers;
    }

    /// As Resque reads a worker's queues: `*` stands for any part of a name, and a queue after `!`
    /// is left out.
    private static boolean serves(ResqueStats.Worker worker, String queue) {
        boolean isServed = false;
        for (String word : worker.queues()) {
            boolean isLeftOut = word.startsWith("!");
            if (matches(isLeftOut ? word.substring(1) : word, queue)) {
                if (isLeftOut) {
                    return false;
                }
                isServed = true;
            }
        }
        return isServed;
    }

    private static boolean matches(String pattern, String name) {
        String[] parts = pattern.split("\\*", -1);
        if (parts.length == 1) {
            return pattern.equals(name);
        }
        String last = parts[parts.length - 1];
        if (!name.startsWith(parts[0]) || !name.endsWith(last)) {
            return false;
        }
        int at = parts[0].length();
        for (int i = 1; i < parts.length - 1; i++) {
            int found = name.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return at <= name.length() - last.length();
    }

    private void queue(String... words) {
        byte[][] command = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            command[i] = RedisConnection.utf8(words[i]);
        }
        connection.queue(command);
    }

    private List<String> names(String set, int most) {
        queue("SMEMBERS", set);
        return connection.flush().getFirst() instanceof List<?> all
                ? all.stream().map(ResqueReader::text).sorted().limit(most).toList()
                : List.of();
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    @Override
    public void close() {
        connection.close();
    }
}
