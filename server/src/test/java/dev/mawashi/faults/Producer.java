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
    /// @param args JSON text
    List<String> push(int count, String args) {
        List<String> jids = new ArrayList<>(count);
        while (jids.size() < count) {
            List<String> batch = new ArrayList<>();
            for (int i = Math.min(BATCH, count - jids.size()); i > 0; i--) {
                batch.add("f%07d".formatted(sent++));
            }
            send(batch, args);
            jids.addAll(batch);
        }
        return jids;
    }

    private void send(List<String> jids, String args) {
        note("invoke", jids);
        try (RedisConnection connection = connections.get()) {
            connection.call("SADD", "queues", QUEUE);
            byte[][] command = new byte[jids.size() + 2][];
            command[0] = "LPUSH".getBytes(UTF_8);
            command[1] = ("queue:" + QUEUE).getBytes(UTF_8);
            for (int i = 0; i < jids.size(); i++) {
                command[i + 2] = payload(jids.get(i), args);
            }
            connection.call(command);
            note("ok", jids);
        } catch (RedisFailure failure) {
            note(failure.kind() == RedisFailure.Kind.UNKNOWN ? "unknown" : "fail", jids);
        }
    }

    private static byte[] payload(String jid, String args) {
        return "{\"retry\":true,\"queue\":\"%s\",\"class\":\"FaultJob\",\"args\":%s,\"jid\":\"%s\",\"created_at\":%3$s}"
                .replace("%3$s", "1795225660.717")
                .formatted(QUEUE, args, jid)
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
