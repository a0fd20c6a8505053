package dev.mawashi.children;

import dev.mawashi.job.Dialect;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The Ruby process that has loaded the app and forks children on request.
///
/// `mawashi-parent-1` reads its link; each child has a reading thread of its own. The parent
/// reports of each child's end with its status; a child's reader waits for that after the link has
/// ended.
final class RubyParent implements AutoCloseable {
    /// How long after its end something that it said may still be on its way.
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Switchboard switchboard;
    private final ParentSettings settings;
    private final ChildServices services;
    private final Process process;
    private final Printed printed;
    private final CompletableFuture<Link> link = new CompletableFuture<>();
    private final CompletableFuture<String> report = new CompletableFuture<>();
    private final Map<Integer, ChildBirth> births = new ConcurrentHashMap<>();
    private final AtomicInteger lastBirth = new AtomicInteger();

    /// The child that has no work yet; null when there is none.
    private final AtomicReference<@Nullable FirstChild> first = new AtomicReference<>();

    /// Done before those hear of it that wait for a child; who begins to wait looks at it
    /// afterwards.
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /// Done when its link is read to the end.
    private final CompletableFuture<Void> heard = new CompletableFuture<>();

    private RubyParent(ParentSettings settings, ChildServices services) {
        this.settings = settings;
        this.services = services;
        this.switchboard = new Switchboard(settings.folder().newFolder("link"));
        this.printed = new Printed(0, services);
        switchboard.open(this::greet);
        process = start();
    }

    /// Starts Ruby, which then loads the app.
    ///
    /// @throws ChildFailure when there is no such Ruby
    static RubyParent launch(ParentSettings settings, ChildServices services) {
        return new RubyParent(settings, services);
    }

    /// Returns once the app is loaded.
    ///
    /// @throws ChildFailure when it cannot be, or after `close`
    void awaitBoot() {
        try {
            report.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            close();
            throw new ChildFailure("interrupted while the app was loaded");
        } catch (ExecutionException e) {
            close();
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new ChildFailure(String.valueOf(cause.getMessage()), e);
        }
    }

    /// The report of the app's boot, in the order in which `mawashi/children/report.rb` writes it.
    List<String> report() {
        return List.of(report.resultNow().split("\0", -1));
    }

    long pid() {
        return process.pid();
    }

    /// Done when the process has ended; the children end with it.
    CompletableFuture<Void> end() {
        return end;
    }

    /// Forks a child that calls the app's blocks for the start, and returns its report once they
    /// have run. The next `fork` gives it its work.
    ///
    /// @see FirstChild#awaitReport
    @Nullable List<String> startUp() {
        FirstChild born = new FirstChild(lastBirth.incrementAndGet(), services);
        first.set(born);
        if (end.isDone()) {
            born.ended();
        }
        send(forkFrame(born.serial(), 'S', false, List.of()));
        return born.awaitReport();
    }

    /// Forks a child, or has the one work that has none.
    ///
    /// @param number its place, from 0
    /// @param work what it runs
    /// @return the child once it is ready for jobs; fails when it ends before
    CompletableFuture<Child> fork(int number, ChildPool.Work work, ChildListener listener) {
        // Two children may stand at one place for a while, so each goes by a number of its own.
        FirstChild waiting = first.getAndSet(null);
        if (waiting != null) {
            ChildBirth birth =
                    new ChildBirth(number, waiting.output(), listener, services, switchboard);
            expect(waiting.serial(), birth);
            if (waiting.send(frame(waiting.serial(), work))) {
                return birth.ready();
            }
            births.remove(waiting.serial());
        }
        ChildOutput output = new ChildOutput(number, services);
        ChildBirth birth = new ChildBirth(number, output, listener, services, switchboard);
        int serial = lastBirth.incrementAndGet();
        expect(serial, birth);
        send(frame(serial, work));
        return birth.ready();
    }

    private void expect(int serial, ChildBirth birth) {
        births.put(serial, birth);
        if (end.isDone()) {
            birth.orphaned();
        }
    }

    private static ByteBuffer frame(int serial, ChildPool.Work work) {
        boolean isResque = work.dialect() == Dialect.RESQUE;
        return forkFrame(serial, work.kind().letter(), isResque, work.threads());
    }

    private static ByteBuffer forkFrame(
            int serial, char kind, boolean isResque, List<Integer> threads) {
        ByteBuffer frame =
                Frame.open(FrameKind.FORK, Integer.BYTES + 2 + threads.size() * Integer.BYTES)
                        .putInt(serial)
                        .put((byte) kind)
                        .put((byte) (isResque ? 1 : 0));
        threads.forEach(frame::putInt);
        return frame.flip();
    }

    /// Whether the process is stopped, so that it forks no child.
    boolean isStopped() {
        return ProcessState.isStopped(pid());
    }

    /// Kills the process, and with it all children; the family boots another.
    void kill() {
        process.destroyForcibly();
    }

    private Process start() {
        List<String> command = new ArrayList<>(settings.command());
        command.add(settings.program().get().toString());
        command.add(switchboard.socket().toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        give(builder.environment());
        try {
            Process started = builder.start();
            settings.folder().note(started.toHandle());
            sendFlags(started.getOutputStream());
            printed.read("0", started.getInputStream(), started.getErrorStream());
            CompletableFuture<Void> _ =
                    started.onExit().thenCompose(this::heardOut).thenAccept(this::ended);
            return started;
        } catch (IOException e) {
            switchboard.close();
            throw new ChildFailure(
                    "cannot start Ruby ("
                            + String.join(" ", settings.command())
                            + "): "
                            + e.getMessage(),
                    e);
        }
    }

    /// What is as it was stays untouched: of what is no text in this locale we know no bytes.
    private void give(Map<String, String> environment) {
        environment.keySet().retainAll(settings.environment().keySet());
        settings.environment()
                .forEach((name, value) -> {
                    if (!value.equals(environment.get(name))) {
                        environment.put(name, value);
                    }
                });
    }

    /// The stream stays open: its end is how the process learns that the server is gone.
    private void sendFlags(OutputStream input) {
        StringBuilder flags = new StringBuilder();
        for (Map.Entry<String, String> flag : settings.flags()) {
            flags.append(flag.getKey()).append('\0').append(flag.getValue()).append('\0');
        }
        try {
            input.write(flags.append('\0').toString().getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException _) {
            // It has ended already, which `end` reports, with what it said.
        }
    }

    private void greet(char role, int number, long pid, Link connected) {
        if (role == 'P') {
            link.complete(connected);
            Thread.ofVirtual().name("mawashi-parent-1").start(() -> read(connected));
            return;
        }
        if (role == 'O' || role == 'E') {
            ChildOutput output = output(number);
            if (output == null) {
                connected.close();
            } else {
                output.connected(role == 'E', pid, connected);
            }
            return;
        }
        FirstChild waiting = first.get();
        if (role == 'F' && waiting != null && waiting.serial() == number) {
            waiting.connected(connected);
            return;
        }
        ChildBirth birth = births.get(number);
        if (birth == null) {
            connected.close();
        } else {
            birth.connected(pid, connected);
        }
    }

    private @Nullable ChildOutput output(int number) {
        FirstChild waiting = first.get();
        if (waiting != null && waiting.serial() == number) {
            return waiting.output();
        }
        ChildBirth birth = births.get(number);
        return birth == null ? null : birth.output();
    }

    private void read(Link connected) {
        try {
            Frame frame = connected.read();
            while (frame != null) {
                take(frame);
                frame = connected.read();
            }
        } catch (IOException _) {
            // A broken link counts as its end.
        } catch (RuntimeException garbage) {
            services.printed(pid(), null, "what it said is no frame: " + garbage);
        }
        heard.complete(null);
        process.destroy();
    }

    private void take(Frame frame) {
        switch (frame.kind()) {
            case READY -> report.complete(frame.rest());
            case NOT_LOADED -> report.completeExceptionally(new ChildFailure(frame.rest()));
            case CHILD_ENDED -> died(frame.body());
            default -> throw new IllegalStateException("a frame of kind " + frame.kind());
        }
    }

    private void died(ByteBuffer body) {
        int number = body.getInt();
        body.getInt(); // Its pid.
        FirstChild waiting = first.get();
        if (waiting != null && waiting.serial() == number) {
            waiting.ended();
        }
        ChildBirth birth = births.remove(number);
        if (birth != null) {
            birth.died(body.getInt(), body.getInt());
        }
    }

    /// Why it did not load the app it may have said just before its end, which is seen sooner.
    private CompletableFuture<Process> heardOut(Process ruby) {
        return report.isDone()
                ? CompletableFuture.completedFuture(ruby)
                : heard.copy()
                        .completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(_ -> ruby);
    }

    /// Perhaps before the constructor is through.
    private void ended(Process ruby) {
        String how = "Ruby ended with status " + ruby.exitValue() + " while it loaded the app";
        String last = String.join(" | ", printed.last());
        report.completeExceptionally(new ChildFailure(last.isEmpty() ? how : how + ": " + last));
        end.complete(null);
        births.values().forEach(ChildBirth::orphaned);
        FirstChild waiting = first.get();
        if (waiting != null) {
            waiting.ended();
        }
    }

    private void send(ByteBuffer frame) {
        try {
            link.join().send(frame);
        } catch (IOException _) {
            // It has ended, which `end` reports.
        }
    }

    /// Ends the process and with it all children.
    @Override
    public void close() {
        process.destroyForcibly();
        CompletableFuture<Void> _ = link.thenAccept(Link::close);
        switchboard.close();
    }
}
