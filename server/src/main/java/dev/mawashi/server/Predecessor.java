package dev.mawashi.server;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.lifecycle.Loop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The server whose place this one takes, seen from here. Until it sends `GO` this server claims
/// nothing, and ends if the other one does. From then on this is the server, and the other one runs
/// its jobs to their ends.
///
/// A thread reads what it sends. The slots that its jobs use stand in `held`, by the capsules'
/// names; the numbers only fall. When the connection ends, none is used any more.
///
/// Where the supervisor knows another process than this one, that is the guardian: the first server
/// of the chain, or the waiter that it has become. If the guardian ends, the supervisor starts
/// another server, so this one stops.
public final class Predecessor {
    /// Begins the last word of the command line; `=` and the socket, or the guardian's folder where
    /// there is no predecessor any more, follow.
    static final String FLAG = "--beside";

    private static final System.Logger LOG = System.getLogger(Predecessor.class.getName());
    private static final Duration LOOK = Duration.ofMillis(250);

    /// Null where a server under a guardian has started anew.
    private final @Nullable Cord cord;

    private final long parent = parent();
    private final Map<String, Integer> held = new ConcurrentHashMap<>();
    private final CountDownLatch isGone = new CountDownLatch(1);
    private final CountDownLatch isAhead = new CountDownLatch(1);
    private final Loop guard = Loop.platform("guard", this::look);
    private volatile Consumer<String> onSignal = _ -> {};
    private volatile Runnable onHeld = () -> {};
    private volatile long guardian;
    private volatile Path folder;
    private volatile int generation = 1;
    private volatile int older;

    private Predecessor(@Nullable Cord cord, Path folder) {
        this.cord = cord;
        this.folder = folder;
        if (cord == null) {
            guardian = parent;
            isGone.countDown();
            isAhead.countDown();
        }
    }

    private static long parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
    }

    /// @param place the value of `FLAG`
    /// @throws StartFailure when nobody is there
    public static Predecessor of(Path place) {
        if (Files.isDirectory(place)) {
            return new Predecessor(null, place);
        }
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(place));
            return new Predecessor(new Cord(channel), place);
        } catch (IOException e) {
            throw new StartFailure(
                    FLAG + " is the server's own flag, for restarts: leave it out (" + e + ")");
        }
    }

    /// Reads what it sends, from now on.
    ///
    /// @param signals takes the names of signals that it got
    /// @param onLost called when it ends before this server was to claim
    public void follow(Consumer<String> signals, Runnable onLost) {
        onSignal = signals;
        Cord opened = cord;
        if (opened == null) {
            guard.start();
        } else {
            Thread.ofPlatform().name("mawashi-before-1").daemon().start(() -> read(opened, onLost));
        }
    }

    private void read(Cord opened, Runnable onLost) {
        for (Cord.Line line = opened.next(); line != null; line = opened.next()) {
            take(line);
        }
        boolean wasAhead = isAhead.getCount() == 0;
        if (!wasAhead) {
            onLost.run();
            return;
        }
        held.clear();
        isGone.countDown();
        onHeld.run();
    }

    private void take(Cord.Line line) {
        String[] words = line.text().split(" ", 2);
        switch (line.kind()) {
            case GENERATION -> {
                generation = Integer.parseInt(words[0]);
                older = Integer.parseInt(words[1]);
            }
            case GUARDIAN -> {
                guardian = Long.parseLong(words[0]);
                folder = Path.of(words[1]);
            }
            case HELD -> {
                held.put(words[1], Integer.parseInt(words[0]));
                onHeld.run();
            }
            case GO -> {
                isAhead.countDown();
                if (guardian != 0) {
                    guard.start();
                }
            }
            case SIGNAL -> onSignal.accept(line.text());
            case READY, FAILED, WORKS, STOP -> throw new IllegalStateException("it sent " + line);
        }
    }

    /// The guardian's own end hands this process to another parent, and so does that of the
    /// predecessor, but then to the guardian.
    private Duration look() {
        long now = parent();
        boolean isThere =
                ProcessHandle.of(guardian).map(ProcessHandle::isAlive).orElse(false)
                        && (now == parent || now == guardian);
        if (isThere) {
            return LOOK;
        }
        LOG.log(
                Level.WARNING,
                "process " + guardian + ", which the supervisor knows, has ended: stopping");
        onSignal.accept("TERM");
        return Loop.OVER;
    }

    /// Reports that this server could claim.
    void ready(String identity) {
        if (cord != null) {
            cord.send(Cord.Kind.READY, identity);
        }
    }

    /// Reports why this server cannot start.
    public void failed(String reason) {
        if (cord != null) {
            cord.send(Cord.Kind.FAILED, reason);
        }
    }

    /// Reports that this server has begun to claim.
    void works() {
        if (cord != null) {
            cord.send(Cord.Kind.WORKS, "");
        }
    }

    /// Waits until this server is to claim.
    ///
    /// @return false when it is to stop
    boolean awaitGo(BooleanSupplier isStopping) {
        try {
            while (!isStopping.getAsBoolean()) {
                if (isAhead.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                    return !isStopping.getAsBoolean();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /// Leaves slots of these capsules to the jobs of older code. To be called before they start.
    void leaveSlots(List<Capsule> capsules) {
        // One at a time: the thread that reads what it sends does so too.
        Object order = new Object();
        onHeld =
                () -> {
                    synchronized (order) {
                        capsules.forEach(
                                capsule -> capsule.holdBack(held(capsule.settings().name())));
                    }
                };
        onHeld.run();
    }

    /// Slots of a capsule that older code uses.
    int held(String capsule) {
        return held.getOrDefault(capsule, 0);
    }

    /// Jobs of older code.
    int heldByAll() {
        return held.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// Whether it has ended, or has become the waiter.
    boolean isGone() {
        return isGone.getCount() == 0;
    }

    /// Has it stop, since this server does.
    void stop() {
        if (cord != null) {
            cord.send(Cord.Kind.STOP, "");
        }
    }

    /// Waits until it has ended, where a supervisor would end it together with this process.
    void awaitEnd(Duration patience) {
        try {
            if (guardian == 0 && !isGone.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "process " + parent + " of older code still stops");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Of the code of this server, from 1.
    int generation() {
        return generation;
    }

    /// How many servers of older code live.
    int older() {
        return isGone() ? 0 : older;
    }

    /// The guardian's id and folder; empty where the supervisor knows this process.
    Optional<Guardian> guardian() {
        return guardian == 0 ? Optional.empty() : Optional.of(new Guardian(guardian, folder));
    }

    /// The process that a supervisor knows.
    ///
    /// @param folder in which it looks for the id of the present server
    record Guardian(long pid, Path folder) {
        /// The word that keeps it for a server that starts anew in its own place.
        String role() {
            return FLAG + "=" + folder;
        }
    }
}
