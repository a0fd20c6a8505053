package dev.mawashi.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Enqueues as the sidekiq gem does, and notes outside Redis what was sent (`invoke`), what Redis
/// has acknowledged (`ok`), what it has refused (`fail`), and what nobody knows (`unknown`).
final class Producer implements AutoCloseable {
    static final String QUEUE = "default";
    private static final int BATCH = 500;

    private final FileChannel ledger;
    private final Supplier<RedisConnection> connections;
    private int sent;

    /// @param folder of the ledger
    /// @param connections to the Redis that is to have the jobs now
    Producer(Path folder, Supplier<RedisConnection> connections) {
        this.connections = connections;
        try {
            ledger =
                    FileChannel.open(
                            folder.resolve(ProcessHandle.current().pid() + ".log"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Puts jobs at the queue's tail and returns their jids.
    ///
    /// @param queue where to
    /// @param args JSON text
    /// @param delay seconds until they are due, 0 for now
    List<String> push(String queue, int count, String args, double delay) {
        List<String> jids = new ArrayList<>(count);
        while (jids.size() < count) {
            List<String> batch = new ArrayList<>();
            for (int i = Math.min(BATCH, count - jids.size()); i > 0; i--) {
                batch.add("f%07d".formatted(sent++));
            }
            send(queue, batch, args, delay);
            jids.addAll(batch);
        }
        return jids;
    }

    private void send(String queue, List<String> jids, String args, double delay) {
        note("invoke", jids);
        List<byte[]> command = new ArrayList<>();
        try (RedisConnection connection = connections.get()) {
            if (delay > 0) {
                command.add("ZADD".getBytes(UTF_8));
                command.add("schedule".getBytes(UTF_8));
            } else {
                connection.queue(
                        "SADD".getBytes(UTF_8), "queues".getBytes(UTF_8), queue.getBytes(UTF_8));
                command.add("LPUSH".getBytes(UTF_8));
                command.add(("queue:" + queue).getBytes(UTF_8));
            }
            for (String jid : jids) {
                if (delay > 0) {
                    command.add(Double.toString(now() + delay).getBytes(UTF_8));
                }
                command.add(payload(queue, jid, args));
            }
            connection.queue(command.toArray(byte[][]::new));
            // The set of queues may refuse the name: the jobs are there all the same.
            if (connection.flush().getLast() instanceof RedisFailure refused) {
                throw refused;
            }
            note("ok", jids);
        } catch (RedisFailure failure) {
            note(failure.kind() == RedisFailure.Kind.UNKNOWN ? "unknown" : "fail", jids);
        }
    }

    private static double now() {
        return System.currentTimeMillis() / 1e3;
    }

    private static byte[] payload(String queue, String jid, String args) {
        return "{\"retry\":true,\"queue\":\"%s\",\"class\":\"FaultJob\",\"args\":%s,\"jid\":\"%s\",\"created_at\":%3$s}"
                .replace("%3$s", "1795225660.717")
                .formatted(queue, args, jid)
                .getBytes(UTF_8);
    }

    private void note(String step, List<String> jids) {
        StringBuilder lines = new StringBuilder();
        long now = System.nanoTime();
        jids.forEach(jid ->
                lines.append(step)
                        .append(' ')
                        .append(jid)
                        .append(" FaultJob ")
                        .append(now)
                        .append('\n'));
        try {
            ledger.write(ByteBuffer.wrap(lines.toString().getBytes(UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            ledger.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
