package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Asks one child where its threads, or those of its forks, are. Each process reports by itself,
/// when it gets to; the child says how many are still to come.
///
/// Whoever asks waits; the child's reading thread adds.
final class ChildBacktraces {
    /// In place of a job's id: all that runs.
    private static final long ALL = 0;

    private final Link link;
    private final AtomicLong lastRequest = new AtomicLong();
    private final Map<Long, Gathering> waiting = new ConcurrentHashMap<>();

    private record Gathering(List<Trace> traces, CompletableFuture<Void> end) {}

    ChildBacktraces(Link link) {
        this.link = link;
    }

    List<Trace> ofAll(Duration patience) {
        return ask(ALL, patience);
    }

    /// @return what has come within the time; no more than one where the job's process is the
    ///   child, and none when the job has ended
    List<Trace> ofJob(long id, Duration patience) {
        return ask(id, patience);
    }

    private List<Trace> ask(long job, Duration patience) {
        long request = lastRequest.incrementAndGet();
        Gathering gathering =
                new Gathering(new CopyOnWriteArrayList<>(), new CompletableFuture<>());
        waiting.put(request, gathering);
        try {
            link.send(
                    Frame.open(FrameKind.DUMP, 2 * Long.BYTES)
                            .putLong(request)
                            .putLong(job)
                            .flip());
            Void _ =
                    gathering
                            .end()
                            .completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
                            .join();
        } catch (IOException _) {
            // It has ended.
        } finally {
            waiting.remove(request);
        }
        return List.copyOf(gathering.traces());
    }

    /// Takes the report of a process.
    void add(Frame frame) {
        ByteBuffer body = frame.body();
        Gathering gathering = waiting.get(body.getLong());
        int more = body.getInt();
        long pid = body.getInt();
        String text = frame.rest();
        if (gathering == null) {
            return;
        }
        if (!text.isBlank()) {
            gathering.traces().add(new Trace(pid, text));
        }
        if (more == 0) {
            gathering.end().complete(null);
        }
    }

    /// No report will come any more.
    void end() {
        waiting.values().forEach(gathering -> gathering.end().complete(null));
    }
}
