package dev.mawashi.children;

import java.io.IOException;
import java.nio.ByteBuffer;
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
    private final Home home;
    private final ChildServices services;
    private final Process process;
    private final Printed printed;
    private final CompletableFuture<Link> link = new CompletableFuture<>();
    private final CompletableFuture<String> report = new CompletableFuture<>();
    private final Map<Integer, ChildBirth> births = new ConcurrentHashMap<>();
    private final ClassQuestions questions = new ClassQuestions();
    private final AtomicInteger lastBirth = new AtomicInteger();

    /// The child that has no work yet; null when there is none.
    private final AtomicReference<@Nullable FirstChild> first = new AtomicReference<>();

    /// Done before those hear of it that wait for a child; who begins to wait looks at it
    /// afterwards.
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private final CompletableFuture<Void> working = new CompletableFuture<>();

    /// Whether it forks no more and ends with its last child.
    private volatile boolean isRetired;

    /// Done when its link is read to the end.
    private final CompletableFuture<Void> heard = new CompletableFuture<>();

    private RubyParent(ParentSettings settings, Home home, int generation, ChildServices services) {
        this.settings = settings;
        this.home = home;
        this.services = services;
        this.switchboard = new Switchboard(settings.folder().newFolder("link"), generation);
        this.printed = new Printed(0, services);
        switchboard.open(this::greet);
        process = start();
    }

    /// Starts Ruby, which then loads the app.
    ///
    /// @param generation of the code that it loads, from 1
    /// @throws ChildFailure when there is no such Ruby
    static RubyParent launch(
            ParentSettings settings, Home home, int generation, ChildServices services) {
        return new RubyParent(settings, home, generation, services);
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

    Home home() {
        return home;
    }

    int generation() {
        return switchboard.generation();
    }

    /// What it and its first child have printed last.
    String lastLines() {
        FirstChild waiting = first.get();
        List<String> lines = new ArrayList<>(printed.last());
        if (waiting != null) {
            lines.addAll(waiting.output().lastLines(LAST_WORDS));
        }
        return String.join(" | ", lines);
    }

    /// Done when a child of it can run jobs; fails when it ends before.
    CompletableFuture<Void> working() {
        return working;
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
        send(ForkFrame.first(born.serial()));
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
            if (waiting.send(ForkFrame.of(waiting.serial(), work))) {
                return birth.ready();
            }
            births.remove(waiting.serial());
        }
        ChildOutput output = new ChildOutput(number, services);
        ChildBirth birth = new ChildBirth(number, output, listener, services, switchboard);
        int serial = lastBirth.incrementAndGet();
        expect(serial, birth);
        send(ForkFrame.of(serial, work));
        return birth.ready();
    }

    private void expect(int serial, ChildBirth birth) {
        births.put(serial, birth);
        CompletableFuture<Void> _ = birth.ready().thenRun(() -> working.complete(null));
        if (end.isDone()) {
            birth.orphaned();
        }
    }

    /// See `ClassQuestions.ask`.
    String classOptions(List<String> names) {
        return questions.ask(names, this::send, end);
    }

    /// Whether the process is stopped, so that it forks no child.
    boolean isStopped() {
        return ProcessState.isStopped(pid());
    }

    /// It is to end once it has no child any more.
    void retire() {
        isRetired = true;
        endIfDone();
    }

    private void endIfDone() {
        if (isRetired && births.isEmpty()) {
            close();
        }
    }

    /// Ends the process and all that it has started. Programs that have left it are not found.
    void endWhole() {
        List<ProcessHandle> started = process.descendants().toList();
        // First: it would report that its children were killed, and their jobs would have failed.
        close();
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /// Kills the process, and with it all children; the family boots another.
    void kill() {
        process.destroyForcibly();
    }

    private Process start() {
        try {
            Process started = ParentProcess.start(settings, home, switchboard.socket());
            printed.read("0", started.getInputStream(), started.getErrorStream());
            CompletableFuture<Void> _ =
                    started.onExit().thenCompose(this::heardOut).thenAccept(this::ended);
            return started;
        } catch (ChildFailure none) {
            switchboard.close();
            throw none;
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
            case OPTIONS -> questions.answer(frame);
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
        endIfDone();
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
        working.completeExceptionally(new ChildFailure("the parent process ended"));
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
