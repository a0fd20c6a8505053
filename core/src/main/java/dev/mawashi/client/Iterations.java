package dev.mawashi.client;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.tables.IterationTable;
import dev.mawashi.tables.LockTable;
import dev.mawashi.wire.JobLock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps how far iterable jobs have come in Redis, and the locks of jobs, for one caller at a time.
public final class Iterations implements IterationStates, AutoCloseable {
    private final IterationTable table;
    private final LockTable locks;
    private final ReentrantLock lock = new ReentrantLock();

    /// @param connection closed with this
    public Iterations(RedisConnection connection) {
        table = new IterationTable(connection);
        locks = new LockTable(connection);
    }

    @Override
    public List<byte[]> ask(List<byte[]> words) {
        String verb = new String(words.getFirst(), StandardCharsets.UTF_8);
        byte[] jid = words.get(1);
        lock.lock();
        try {
            return switch (verb) {
                case "read" -> table.read(jid);
                case "write" -> table.write(jid, words.subList(2, words.size())).stream().toList();
                case "forget" -> {
                    table.forget(jid);
                    yield List.of();
                }
                case "free" -> {
                    JobLock held = JobLock.of(text(words.get(2)), text(jid));
                    yield held == null ? List.of() : freed(held);
                }
                case "enqueue" -> locks.enqueue(words.get(1), words.subList(2, words.size()));
                default -> throw new IllegalArgumentException(verb);
            };
        } finally {
            lock.unlock();
        }
    }

    private List<byte[]> freed(JobLock held) {
        locks.free(List.of(held));
        return List.of();
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        table.close();
    }
}
