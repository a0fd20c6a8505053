package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Asks one child where its threads, or those of its forks, are, or to write its heap. Each process
/// reports by itself, when it gets to; the child says how many are still to come.
///
/// Whoever asks waits; the child's reading thread adds.
final class ChildBacktraces {
    /// In place of a job's id: all that runs.
    private static final long ALL = 0;

    /// The report of a heap that was written, as `child.rb` has it.
    private static final String WRITTEN = "written";

    private final Link link;
    private final AtomicLong lastRequest = new AtomicLong();
    private final Map<Long, Gathering> waiting = new ConcurrentHashMap<>();

    private record Gathering(List<Trace> traces, CompletableFuture<Void> end) {}

    ChildBacktraces(Link link) {
        this.link = link;
    }

    List<Trace> ofAll(Duration patience) {
        return ask(ALL, "", patience);
    }

    /// @return what has come within the time; no more than one where the job's process is the
    ///   child, and none when the job has ended
    List<Trace> ofJob(long id, Duration patience) {
        return ask(id, "", patience);
    }

    /// @param file that is not there yet
    /// @return why it was not written, "" when it was; empty when it did not report in time
    Optional<String> ofHeap(Path file, Duration patience) {
        return ask(ALL, file.toString(), patience).stream()
                .map(trace -> trace.text().strip())
                .map(report -> report.equals(WRITTEN) ? "" : report)
                .findFirst();
    }

    private List<Trace> ask(long job, String path, Duration patience) {
        long request = lastRequest.incrementAndGet();
        Gathering gathering =
                new Gathering(new CopyOnWriteArrayList<>(), new CompletableFuture<>());
        waiting.put(request, gathering);
        byte[] file = path.getBytes(StandardCharsets.UTF_8);
        try {
            link.send(
                    Frame.open(FrameKind.DUMP, 2 * Long.BYTES + file.length)
                            .putLong(request)
                            .putLong(job)
                            .put(file)
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
