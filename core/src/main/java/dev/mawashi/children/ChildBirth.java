package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A child from the request to fork it until its end is reported: connects its streams, reads what
/// it says, and joins the end of its link with the status that the parent reports.
final class ChildBirth {
    /// How long the parent's word on a child's end is waited for once the child has hung up.
    private static final Duration STATUS_PATIENCE = Duration.ofSeconds(5);

    /// How long after its death a child's last words may take to arrive. Processes that it left
    /// behind may hold its end of the link open for ever.
    static final Duration LAST_WORDS = Duration.ofMillis(500);

    /// Ends threads that had nothing to do for a minute. No virtual ones: a reply of Redis comes to
    /// them by way of two other threads.
    private static final ExecutorService ENQUEUERS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("mawashi-enqueue-", 1).factory());

    private final int number;
    private final ChildListener listener;
    private final ChildServices services;
    private final Switchboard switchboard;
    private final CompletableFuture<Child> ready = new CompletableFuture<>();
    private final CompletableFuture<ChildEnd> end = new CompletableFuture<>();
    private final ChildOutput output;
    private volatile @Nullable Child connected;

    ChildBirth(
            int number,
            ChildOutput output,
            ChildListener listener,
            ChildServices services,
            Switchboard switchboard) {
        this.number = number;
        this.output = output;
        this.listener = listener;
        this.services = services;
        this.switchboard = switchboard;
    }

    CompletableFuture<Child> ready() {
        return ready;
    }

    ChildOutput output() {
        return output;
    }

    void connected(long pid, Link link) {
        Child child = new Child(number, pid, switchboard.generation(), link);
        connected = child;
        Thread.ofPlatform().name("mawashi-child-" + (number + 1)).daemon().start(() -> read(child));
    }

    /// The parent has reaped the child.
    void died(int signal, int status) {
        Child child = connected;
        if (child != null) {
            CompletableFuture.delayedExecutor(LAST_WORDS.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(child::hangUp);
        }
        // The parent has others to report.
        Thread.ofVirtual()
                .name("mawashi-end-" + (number + 1))
                .start(() -> finish(new ChildEnd(signal, status, output.lastLines(LAST_WORDS))));
    }

    private void finish(ChildEnd ended) {
        end.complete(ended);
        if (!ready.isDone()) {
            ready.completeExceptionally(new ChildFailure(ended.describe()));
        }
    }

    /// The parent itself is gone, and the child with it.
    void orphaned() {
        end.complete(ChildEnd.ORPHANED);
        ready.completeExceptionally(new ChildFailure("the parent process ended"));
    }

    private void read(Child child) {
        try {
            Frame frame = child.link().read();
            while (frame != null) {
                take(child, frame);
                frame = child.link().read();
            }
        } catch (IOException _) {
            // A broken link counts as its end.
        } catch (RuntimeException garbage) {
            services.printed(child.pid(), null, "what it said is no frame: " + garbage);
        }
        child.hangUp();
        if (!child.isEnding()) {
            // The child may live on, and would run what others run again.
            child.kill();
        }
        ChildEnd ended =
                end.completeOnTimeout(
                                ChildEnd.ORPHANED, STATUS_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
                        .join();
        Noted noted = noted(child);
        if (!ready.completeExceptionally(new ChildFailure(ended.describe()))) {
            listener.lost(ended, noted);
        }
    }

    private @Nullable Noted noted(Child ended) {
        Marks marks = ended.marks();
        // One that was never ready has left its file.
        try (Marks left = marks == null ? Marks.open(switchboard.marks(ended.pid())) : marks) {
            return left == null ? null : left.read();
        }
    }

    private void take(Child child, Frame frame) {
        handle(child, frame);
        // Afterwards: whoever sees that it has answered relies on what came of it.
        child.hear(frame.kind() == FrameKind.UNBEGUN);
    }

    private void handle(Child child, Frame frame) {
        ByteBuffer body = frame.body();
        switch (frame.kind()) {
            case READY -> {
                child.notesIn(Marks.open(switchboard.marks(child.pid())));
                ready.complete(child);
            }
            case SUCCEEDED -> listener.done(body.asLongBuffer());
            case PROBLEM -> {
                long id = body.getLong();
                long nanos = body.getLong();
                boolean hadClass = OutcomeReader.hadClass(frame);
                listener.ended(id, nanos, OutcomeReader.read(frame), hadClass);
            }
            case UNBEGUN -> {
                long[] ids = new long[body.remaining() / Long.BYTES];
                body.asLongBuffer().get(ids);
                listener.returned(ids);
            }
            case GIVEN_UP -> child.answer(body.getLong(), kept(body));
            case ENQUEUE -> enqueue(child, body);
            case ITERATE -> iterate(child, body);
            case PRINTED -> printed(frame);
            case END -> listener.asksForItsEnd(frame.rest());
            case TRACES -> child.traces().add(frame);
            default -> throw new IllegalStateException("a frame of kind " + frame.kind());
        }
    }

    private static Optional<byte[]> kept(ByteBuffer body) {
        if (body.get() != 0) {
            return Optional.empty();
        }
        byte[] changed = new byte[body.remaining()];
        body.get(changed);
        return Optional.of(changed);
    }

    /// A fork of this child printed lines.
    private void printed(Frame frame) {
        long pid = frame.body().getInt();
        String jid = listener.jid(frame.body().getLong());
        frame.rest().lines().forEach(line -> services.printed(pid, jid, line));
    }

    /// What several of its threads ask at once. On a thread of its own: while Redis is away this
    /// child must be heard all the same.
    private void enqueue(Child child, ByteBuffer body) {
        List<Long> asked = new ArrayList<>();
        List<List<ChildServices.NewJob>> requests = new ArrayList<>();
        while (body.hasRemaining()) {
            asked.add(body.getLong());
            int bytes = body.getInt();
            requests.add(newJobs(body.slice(body.position(), bytes)));
            body.position(body.position() + bytes);
        }
        ENQUEUERS.execute(() -> child.reply(asked, store(requests)));
    }

    /// Each is answered, also when one of them makes no sense: a child waits for the answer.
    private List<String> store(List<List<ChildServices.NewJob>> requests) {
        try {
            return services.enqueue(requests);
        } catch (RuntimeException refused) {
            return requests.size() == 1
                    ? List.of(String.valueOf(refused.getMessage()))
                    : requests.stream().map(one -> store(List.of(one)).getFirst()).toList();
        }
    }

    private static List<ChildServices.NewJob> newJobs(ByteBuffer body) {
        List<ChildServices.NewJob> jobs = new ArrayList<>();
        while (body.hasRemaining()) {
            double due = body.getDouble();
            byte[] queue = new byte[Short.toUnsignedInt(body.getShort())];
            byte[] payload = new byte[body.getInt()];
            body.get(queue).get(payload);
            jobs.add(
                    new ChildServices.NewJob(
                            new String(queue, StandardCharsets.UTF_8), payload, due));
        }
        return jobs;
    }

    /// On a thread of its own too, for the same reason.
    private void iterate(Child child, ByteBuffer body) {
        long request = body.getLong();
        List<byte[]> words = new ArrayList<>();
        while (body.hasRemaining()) {
            byte[] word = new byte[body.getInt()];
            body.get(word);
            words.add(word);
        }
        Thread.ofVirtual()
                .name("mawashi-enqueue-" + (number + 1))
                .start(() -> {
                    try {
                        child.reply(request, services.iteration(words));
                    } catch (RuntimeException refused) {
                        child.refuse(request, String.valueOf(refused.getMessage()));
                    }
                });
    }
}
