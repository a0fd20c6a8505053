package dev.mawashi.server;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/// The process's signals, from the system or from Sidekiq's page: TERM and INT stop, TSTP quiets,
/// TTIN shows what runs. HUP is ignored so that a closed terminal ends nothing, and so is USR1,
/// whose default is to end the process and which quieted a Sidekiq before 5.0. QUIT and USR2 stay
/// the JVM's: it prints its threads at QUIT, and stops them by USR2 to read their stacks.
///
/// A stop that comes while the server boots ends the process once the app is loaded, or a few
/// seconds later when that takes longer: no job is held yet. A second one ends it at once, and the
/// jobs that it held are recovered like those of any dead process. A second stop within a second of
/// the first counts as the same: `timeout` and some supervisors send theirs to the process and to
/// its group.
public final class Signals {
    private static final System.Logger LOG = System.getLogger(Signals.class.getName());
    private static final Set<String> FORWARDED = Set.of("TERM", "INT", "TSTP", "TTIN");
    private static final int ENDED_WELL = 0;
    private static final int ENDED_AT_ONCE = 1;

    /// How long the loading of an app may still take once the process is to stop.
    private static final Duration LOAD_PATIENCE = Duration.ofSeconds(5);

    private static final long SAME_STOP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Server server;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile boolean isRecycling;
    private volatile boolean isTainted;
    private volatile boolean isEndAsked;
    private long endAskedNanos;

    private Signals(Server server) {
        this.server = server;
    }

    /// Takes the process's signals over for a server.
    public static Signals install(Server server) {
        Signals signals = new Signals(server);
        server.onRecycle(signals::recycle);
        server.onDone(signals.stop::countDown);
        for (String name : new String[] {"TERM", "INT", "TSTP", "TTIN", "HUP", "USR1"}) {
            Signal.handle(new Signal(name), signal -> signals.come(signal.getName()));
        }
        Thread.setDefaultUncaughtExceptionHandler(signals::ended);
        return signals;
    }

    /// Stops the server when an `Error` ended a thread of ours. Any other end is logged, and the
    /// server goes on: an app's own threads are its own affair, and no job waits for the page.
    private void ended(Thread thread, Throwable error) {
        if (error instanceof Error && isOfWork(thread.getName())) {
            taint(thread, error);
        } else {
            LOG.log(Level.ERROR, "thread " + thread.getName() + " ended with " + error, error);
        }
    }

    private static boolean isOfWork(String thread) {
        return thread.startsWith("mawashi-") && !thread.startsWith("mawashi-web");
    }

    /// A signal of the system's is also for the server that has taken this one's place.
    private void come(String name) {
        if (FORWARDED.contains(name)) {
            server.handover().ifPresent(one -> one.forward(name, !name.equals("TTIN")));
        }
        raise(name);
    }

    /// Ends the process at once, which has claimed nothing: the one whose place it was to take has
    /// ended.
    public void endUnused() {
        LOG.log(
                Level.ERROR,
                "the server whose place this one was to take has ended: ending, no job was claimed");
        halt(ENDED_AT_ONCE);
    }

    /// Does what Sidekiq's page asks for. Pressing Stop twice ends nothing at once: only the
    /// system's second TERM does.
    public void raiseFromPage(String name) {
        if (!isStopAsked()) {
            raise(name);
        }
    }

    /// Does what a signal asks for; an unknown one is logged and ignored.
    public void raise(String name) {
        switch (name) {
            case "TERM", "INT" -> stop(name);
            case "TSTP" -> {
                LOG.log(Level.INFO, "TSTP: claiming no more, running jobs go on");
                server.quiet();
            }
            case "TTIN" -> server.dump();
            case "HUP", "USR1" -> LOG.log(Level.INFO, name + " is ignored");
            default -> LOG.log(Level.WARNING, "signal " + name + " is not known");
        }
    }

    private void stop(String name) {
        if (!isFirst(name)) {
            return;
        }
        LOG.log(Level.INFO, name + ": stopping");
        stop.countDown();
        server.abortStart();
        if (!server.awaitLoaded(LOAD_PATIENCE)) {
            LOG.log(Level.WARNING, "the app still loads: ending all the same, no job was claimed");
            halt(ENDED_WELL);
        }
    }

    /// Whether this stop is the first one; ends the process when it is not. Each signal has a
    /// thread of its own.
    private synchronized boolean isFirst(String name) {
        long now = System.nanoTime();
        if (!isEndAsked) {
            isEndAsked = true;
            endAskedNanos = now;
            return true;
        }
        if (now - endAskedNanos > SAME_STOP_NANOS) {
            LOG.log(Level.WARNING, name + " again: ending at once");
            server.handover().ifPresent(Handover::endAtOnce);
            halt(ENDED_AT_ONCE);
        }
        return false;
    }

    /// Ends the process at once: no shutdown hook runs.
    private static void halt(int code) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /// Stops the process, which is to start anew then.
    void recycle() {
        isRecycling = true;
        stop.countDown();
    }

    /// Stops the process as failed, since a thread of ours ended with an error and nobody knows
    /// what still works. Running jobs get their time, the rest goes back to its queue.
    void taint(Thread thread, Throwable error) {
        LOG.log(
                Level.ERROR,
                "thread " + thread.getName() + " ended with " + error + ": stopping",
                error);
        isTainted = true;
        stop.countDown();
        server.abortStart();
    }

    /// Whether the process stops for an error of ours.
    public boolean isTainted() {
        return isTainted;
    }

    /// Whether the process stops for a new start, and nobody has asked it to end since.
    public boolean isRecycling() {
        return isRecycling && !isEndAsked;
    }

    public boolean isStopAsked() {
        return stop.getCount() == 0;
    }

    /// Waits for that long, or until a stop was asked for; true if it was.
    public boolean awaitStop(Duration time) throws InterruptedException {
        return stop.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Returns when a stop was asked for.
    public void awaitStop() throws InterruptedException {
        stop.await();
    }
}
