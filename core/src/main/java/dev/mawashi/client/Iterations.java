package dev.mawashi.client;

import dev.mawashi.tables.IterationTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps how far iterable jobs have come in Redis, for one caller at a time.
public final class Iterations implements IterationStates, AutoCloseable {
    private final IterationTable table;
    private final ReentrantLock lock = new ReentrantLock();

    /// @param table closed with this
    public Iterations(IterationTable table) {
        this.table = table;
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
                default -> throw new IllegalArgumentException(verb);
            };
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        table.close();
    }
}
