package dev.mawashi.children;

import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A Ruby process that runs jobs. It takes frames of jobs and begins them in that order, as many at
/// once as it has threads.
///
/// Sending to a child that has ended does nothing: `ChildListener.lost` reports its end.
public final class Child {
    /// How long death handlers and `sidekiq_retries_exhausted` may take.
    private static final Duration GIVE_UP_PATIENCE = Duration.ofSeconds(60);

    /// The answer that changes nothing in a job that was given up.
    private static final Optional<byte[]> AS_IT_IS = Optional.of(new byte[0]);

    /// A job's id ends in its lane.
    private static final int LANE_BITS = 16;

    /// On Linux its monotonic clock is the one that Java reads.
    private static final boolean HAS_OUR_CLOCK = System.getProperty("os.name").equals("Linux");

    private final int number;
    private final long pid;
    private final int generation;
    private final Link link;
    private final ChildBacktraces traces;

    /// Knows its start too, so that no other process is meant that has its id later.
    private final @Nullable ProcessHandle process;

    private volatile @Nullable Marks marks;
    private volatile boolean isRecalled;
    private volatile boolean isHeard;
    private volatile boolean isEnding;
    private volatile boolean hasHungUp;
    private final Map<Long, CompletableFuture<Optional<byte[]>>> givenUp =
            new ConcurrentHashMap<>();

    Child(int number, long pid, int generation, Link link) {
        this.number = number;
        this.pid = pid;
        this.generation = generation;
        this.link = link;
        traces = new ChildBacktraces(link);
        process = ProcessHandle.of(pid).orElse(null);
    }

    /// A job for a child.
    ///
    /// @param id unique in this server, see `id`
    /// @param isObject true when the payload is known to be one JSON object, as `wire.Payload`
    ///   reads it: then it may be parsed together with others
    public record Job(long id, byte[] queue, byte[] payload, boolean isObject) {}

    /// The id of a job.
    ///
    /// @param serial counts the jobs of this lane
    public static long id(long serial, int lane) {
        return serial << LANE_BITS | lane;
    }

    /// The lane in which a job runs.
    public static int lane(long id) {
        return (int) (id & (1 << LANE_BITS) - 1);
    }

    /// Its place among the children, from 0. The one that replaces it gets the same.
    public int number() {
        return number;
    }

    public long pid() {
        return pid;
    }

    /// Which start of the app's code it runs, from 1.
    public int generation() {
        return generation;
    }

    /// Whether it stands still, by a signal.
    public boolean isStopped() {
        return ProcessState.isStopped(pid);
    }

    /// The memory that it takes, in KiB; what it shares counts in part. Empty when that is unknown.
    public OptionalLong kib() {
        return ProcessMemory.kib(pid);
    }

    /// The time of its fork; empty when unknown.
    public Optional<Instant> startedAt() {
        return process == null ? Optional.empty() : process.info().startInstant();
    }

    /// True when its end was asked for.
    public boolean isEnding() {
        return isEnding;
    }

    /// Sends jobs for the child to run.
    ///
    /// @param until when it may begin jobs, these and those that it was sent before, by the clock
    ///   of `System.nanoTime`; then it gives them back
    public void run(List<Job> jobs, long until) {
        for (ByteBuffer frame : JobFrame.split(jobs, HAS_OUR_CLOCK ? until : Long.MAX_VALUE)) {
            send(frame);
        }
    }

    /// Asks for the jobs that it has not begun; `ChildListener.returned` brings them.
    public void recall() {
        isRecalled = true;
        link.post(Frame.of(FrameKind.RECALL));
    }

    /// Whether the child was asked for jobs and has not answered yet.
    public boolean isRecalled() {
        return isRecalled;
    }

    /// Notes that the child has said something.
    ///
    /// @param isAnswer whether it was what it had not begun
    void hear(boolean isAnswer) {
        isHeard = true;
        if (isAnswer) {
            isRecalled = false;
        }
    }

    /// Whether the child has said anything since this was asked last.
    boolean wasHeard() {
        boolean wasHeard = isHeard;
        isHeard = false;
        return wasHeard;
    }

    void notesIn(@Nullable Marks file) {
        marks = file;
    }

    @Nullable Marks marks() {
        return marks;
    }

    /// The jobs that it has noted before it began them. What it was sent and is not among these
    /// when its time to begin is over, it will never begin. Null when that is not known.
    public @Nullable Set<Long> begun() {
        Marks file = marks;
        return file == null || !HAS_OUR_CLOCK ? null : file.ids();
    }

    /// Kills it at once, without its parent, which may be stopped.
    void kill() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /// Raises `Sidekiq::Shutdown` in all jobs of a lane that run.
    public void interrupt(int lane) {
        link.post(Frame.open(FrameKind.INTERRUPT, Integer.BYTES).putInt(lane).flip());
    }

    /// Raises a cut's error in the job that runs under this id; does nothing when none does, or
    /// when that was done before.
    public void cut(long id, Cut cut) {
        byte[] name = cut.reason().errorClass().getBytes(StandardCharsets.UTF_8);
        byte[] message = cut.message().getBytes(StandardCharsets.UTF_8);
        link.post(
                Frame.open(FrameKind.CUT, Long.BYTES + 1 + name.length + message.length)
                        .putLong(id)
                        .put((byte) name.length)
                        .put(name)
                        .put(message)
                        .flip());
    }

    /// Kills the process in which a job runs; only for a child that forks for each job.
    public void kill(long id) {
        link.post(Frame.open(FrameKind.KILL, Long.BYTES).putLong(id).flip());
    }

    /// Calls the blocks that the app has given to `config.on`; does not wait for them.
    ///
    /// @param event `quiet` or `shutdown`
    public void fire(String event) {
        link.post(Frame.of(FrameKind.EVENT, event));
    }

    /// Has the child print the backtraces of its threads.
    public void dump() {
        link.post(Frame.of(FrameKind.DUMP));
    }

    /// Where its threads are, those of its forks too, as far as they report within the time.
    public List<Trace> backtraces(Duration patience) {
        return traces.ofAll(patience);
    }

    /// Where one job is that runs; none when it has ended or its process does not report in time.
    ///
    /// @param id of the job as it was sent
    public List<Trace> backtraces(long id, Duration patience) {
        return traces.ofJob(id, patience);
    }

    ChildBacktraces traces() {
        return traces;
    }

    /// Ends the child once it has reported.
    public void end() {
        isEnding = true;
        link.post(Frame.of(FrameKind.END));
    }

    /// Reports to the app that a failed job will not run again, and waits for its answer; see
    /// `execute.RunnerSlot`.
    ///
    /// @param id of the job as it was sent
    public Optional<byte[]> giveUp(long id, byte[] payload, GiveUp reason) {
        return ask(id, payload, reason.name());
    }

    /// Reports a failure to the app that none of its code has seen, and waits for the end of that
    /// report; see `execute.RunnerSlot`.
    ///
    /// @param id of the job as it was sent, or a new one
    public void failed(long id, byte[] payload) {
        Optional<byte[]> _ = ask(id, payload, "FAILED");
    }

    /// @return its answer; the payload when there is none, or when it is to stay as it is
    private Optional<byte[]> ask(long id, byte[] payload, String what) {
        CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
        givenUp.put(id, answer);
        byte[] word = what.getBytes(StandardCharsets.UTF_8);
        link.post(
                Frame.open(FrameKind.GIVE_UP, Long.BYTES + 1 + word.length + payload.length)
                        .putLong(id)
                        .put((byte) word.length)
                        .put(word)
                        .put(payload)
                        .flip());
        if (hasHungUp) {
            // Perhaps before it was among the listeners.
            answer.complete(AS_IT_IS);
        }
        try {
            Optional<byte[]> changes = answer.get(GIVE_UP_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            return changes.map(changed -> changed.length == 0 ? payload : changed);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of(payload);
        } catch (ExecutionException | TimeoutException _) {
            // The child ended or hangs; the job is settled all the same.
            return Optional.of(payload);
        } finally {
            givenUp.remove(id);
        }
    }

    /// @param kept empty when the job is to be discarded, no bytes when it stays as it is
    void answer(long id, Optional<byte[]> kept) {
        CompletableFuture<Optional<byte[]>> waiting = givenUp.get(id);
        if (waiting != null) {
            waiting.complete(kept);
        }
    }

    /// Answers requests to enqueue: "" where it was done, else why not.
    void reply(List<Long> requests, List<String> refusals) {
        List<byte[]> texts =
                refusals.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
        int bytes = texts.stream().mapToInt(text -> Long.BYTES + Integer.BYTES + text.length).sum();
        ByteBuffer frame = Frame.open(FrameKind.ENQUEUED, bytes);
        for (int i = 0; i < texts.size(); i++) {
            frame.putLong(requests.get(i)).putInt(texts.get(i).length).put(texts.get(i));
        }
        send(frame.flip());
    }

    /// Answers a request for words with why there are none.
    void refuse(long request, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        send(
                Frame.open(FrameKind.REFUSED, Long.BYTES + text.length)
                        .putLong(request)
                        .put(text)
                        .flip());
    }

    /// Answers a request for words.
    void reply(long request, List<byte[]> words) {
        long bytes = words.stream().mapToLong(word -> Integer.BYTES + word.length).sum();
        if (bytes > Frame.BYTES_MAX - Frame.HEAD_BYTES - Long.BYTES) {
            refuse(
                    request,
                    String.format(
                            Locale.ROOT,
                            "the answer has %,d bytes, more than a child can be sent",
                            bytes));
            return;
        }
        ByteBuffer frame = Frame.open(FrameKind.WORDS, Long.BYTES + (int) bytes).putLong(request);
        words.forEach(word -> frame.putInt(word.length).put(word));
        send(frame.flip());
    }

    /// No answer will come any more.
    void hangUp() {
        link.close();
        hasHungUp = true;
        traces.end();
        givenUp.values().forEach(waiting -> waiting.complete(AS_IT_IS));
    }

    Link link() {
        return link;
    }

    private void send(ByteBuffer frame) {
        try {
            link.send(frame);
        } catch (IOException _) {
            // It has ended, which the reading thread reports.
        }
    }
}
