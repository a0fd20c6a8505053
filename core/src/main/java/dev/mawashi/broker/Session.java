package dev.mawashi.broker;

/// A thread's way to the broker.
public interface Session extends AutoCloseable {
    @Override
    void close();
}
