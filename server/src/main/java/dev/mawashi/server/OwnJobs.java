package dev.mawashi.server;

import dev.mawashi.broker.RedisBroker;
import dev.mawashi.client.Client;
import dev.mawashi.client.IterationStates;
import dev.mawashi.client.Iterations;
import dev.mawashi.client.JobSink;
import dev.mawashi.client.NewJob;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Takes what the app's jobs enqueue, and what they keep of their state, into the server's Redis.
/// Both are made at their first use: which Redis that is may be known only once the app is loaded.
final class OwnJobs implements JobSink, IterationStates, AutoCloseable {
    private final Supplier<RedisBroker> broker;
    private volatile @Nullable Client client;
    private volatile @Nullable Iterations iterations;
    private boolean isClosed;

    OwnJobs(Supplier<RedisBroker> broker) {
        this.broker = broker;
    }

    @Override
    public void enqueue(List<NewJob> jobs) {
        client().enqueue(jobs);
    }

    @Override
    public List<@Nullable RuntimeException> enqueueEach(List<List<NewJob>> callers) {
        return client().enqueueEach(callers);
    }

    @Override
    public List<byte[]> ask(List<byte[]> words) {
        Iterations made = iterations;
        return (made == null ? makeIterations() : made).ask(words);
    }

    private Client client() {
        Client made = client;
        return made == null ? makeClient() : made;
    }

    private synchronized Client makeClient() {
        requireOpen();
        client = Objects.requireNonNullElseGet(client, () -> new Client(broker.get().enqueuing()));
        return Objects.requireNonNull(client);
    }

    private synchronized Iterations makeIterations() {
        requireOpen();
        iterations =
                Objects.requireNonNullElseGet(
                        iterations, () -> new Iterations(broker.get().connect("iterate")));
        return Objects.requireNonNull(iterations);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the server has ended");
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (client != null) {
            client.close();
        }
        if (iterations != null) {
            iterations.close();
        }
    }
}
