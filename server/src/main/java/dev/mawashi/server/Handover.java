package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The restart of a server whose code is in its own process: a second process with new code takes
/// over, and this one runs its jobs to their ends (docs/decisions/0012-restart-in-the-jvm.md).
///
/// Before this one claims no more nothing is lost if either of the two dies: the new one ends with
/// the old one, and if the new one ends, the restart has failed. After that the new one is the
/// server. It is the child of this one, and knows by numbers how many slots of each capsule jobs of
/// this one still use.
///
/// Where systemd did not start this process, a supervisor knows its id. So at its end it becomes a
/// `Waiter`, or leaves the new server to the one that is there already: the guardian. This finds
/// the id of the present server in the file `FILE` of its folder.
final class Handover {
    /// In the guardian's folder: the id of the present server.
    static final String FILE = "server";

    /// As many as generations of Ruby processes.
    private static final int OLDER_MAX = 8;

    private static final System.Logger LOG = System.getLogger(Handover.class.getName());
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /// How long it answers questions about the restart: until somebody has seen the result, and so
    /// long that a second one may.
    private static final Duration ANSWERS_MIN = Duration.ofSeconds(2);

    private static final Duration ANSWERS_MAX = Duration.ofSeconds(10);

    /// From `GO` until it claims. One that is so slow hangs.
    private static final Duration WORK_MAX = Duration.ofSeconds(60);

    /// A second: a round trip is no wait.
    private static final int UNSETTLED_LOOKS = 10;

    private final Apps apps;
    private final List<Capsule> capsules;
    private final Standing standing;
    private final Acts acts;
    private final Map<String, Integer> told = new HashMap<>();
    private volatile @Nullable Successor successor;
    private volatile String identity = "";
    private volatile boolean hasGivenWay;
    private volatile boolean isTaken;
    private volatile boolean isStopping;
    private boolean isSignalled;
    private volatile boolean wasAsked;

    /// The draining thread's.
    private int unsettledLooks;

    /// The steps that a restart has the server take.
    ///
    /// @param giveWay claims no more, gives back what has not begun, and closes the ports
    /// @param isQuiet whether it claims no more
    /// @param areSuspectsDone whether no suspect runs for it
    /// @param stop has the process stop
    record Acts(
            Runnable giveWay,
            BooleanSupplier isQuiet,
            BooleanSupplier areSuspectsDone,
            Runnable stop) {}

    Handover(Apps apps, List<Capsule> capsules, Standing standing, Acts acts) {
        this.apps = apps;
        this.capsules = List.copyOf(capsules);
        this.standing = standing;
        this.acts = acts;
    }

    /// Why there can be none now; "" when there can.
    String obstacle() {
        if (!Files.exists(COMMAND_LINE)) {
            return "its jobs run in the process itself, whose restart needs Linux: start another one"
                    + " with the new code beside it, quiet this one, and stop it when its jobs have"
                    + " ended";
        }
        if (!isRun()) {
            return "it was not started by mawashi run, or hides that: stop it and start it again";
        }
        return standing.older() < OLDER_MAX
                ? ""
                : OLDER_MAX + " older processes still run jobs: wait until one has ended";
    }

    /// A demonstration has parts that no other process may take over.
    private static boolean isRun() {
        try {
            return OwnCommand.words().contains("run");
        } catch (IOException _) {
            return false;
        }
    }

    /// The second heap, in MB.
    static int memoryMib() {
        return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() >> 20);
    }

    /// Starts the new process and waits until it could claim.
    ///
    /// @throws ChildFailure when it does not come to that; nothing is changed then
    void boot(Duration limit) {
        List<Cord.Line> greeting = new ArrayList<>();
        greeting.add(
                new Cord.Line(
                        Cord.Kind.GENERATION,
                        (standing.generation() + 1) + " " + (standing.older() + 1)));
        greeting.add(
                new Cord.Line(
                        Cord.Kind.GUARDIAN,
                        standing.giver().isPresent()
                                ? "0 -"
                                : guardian().pid() + " " + guardian().folder()));
        Successor next =
                Successor.start(apps.newHome(), apps.folder(), greeting, this::stopWithNext);
        successor = next;
        identity = next.awaitReady(limit);
        LOG.log(Level.INFO, "restart: process {0} is ready: {1}", "" + next.pid(), identity);
    }

    private Predecessor.Guardian guardian() {
        return standing.guardian()
                .orElseGet(() ->
                        new Predecessor.Guardian(
                                ProcessHandle.current().pid(), apps.folder().path()));
    }

    private void stopWithNext() {
        if (hasGivenWay) {
            acts.stop().run();
        }
    }

    /// Has the new process be the server.
    ///
    /// @throws ChildFailure when this one is quiet or stopping; or when the new one ends as it
    ///   begins to claim: this process has claimed nothing more by then, and has to stop
    void giveWay() {
        Successor next = present();
        Optional<Systemd> systemd = standing.giver();
        decide();
        if (systemd.isEmpty()) {
            adopt(next);
        }
        acts.giveWay().run();
        tellSlots(next);
        systemd.ifPresent(one -> one.mainIs(next.pid()));
        next.send(Cord.Kind.GO, "");
        if (!next.awaitWork(WORK_MAX)) {
            next.end();
            throw new ChildFailure(
                    "the new process took over and did not begin to claim: see the log; this process"
                            + " stops, to be started anew");
        }
        isTaken = true;
    }

    /// From here on a signal is for the new process too; one that came before keeps this one's
    /// place.
    private synchronized void decide() {
        if (isStopping || isSignalled || acts.isQuiet().getAsBoolean()) {
            throw new ChildFailure("the process is quiet or stopping");
        }
        hasGivenWay = true;
    }

    /// Sees to that the guardian finds the new server, and gets it as a child.
    private void adopt(Successor next) {
        if (standing.guardian().isEmpty()) {
            Libc.adoptOrphans();
            apps.folder().keepAtEnd(FILE);
        }
        PrivateFolder.write(guardian().folder(), FILE, Long.toString(next.pid()));
    }

    private Successor present() {
        Successor next = successor;
        if (next == null) {
            throw new IllegalStateException("no process was started");
        }
        return next;
    }

    private void tellSlots(Successor next) {
        for (Capsule capsule : capsules) {
            String name = capsule.settings().name();
            int held = capsule.busy() + standing.held(name);
            Integer before = told.put(name, held);
            if (before == null || before != held) {
                next.send(Cord.Kind.HELD, held + " " + name);
            }
        }
    }

    /// Waits until no job of this process or of older ones runs any more and their outcomes are in
    /// Redis, this process is to stop, or the new one has ended.
    ///
    /// @param limit for the jobs; null for none
    /// @return false when jobs still run, or outcomes wait, at the end of that time
    boolean drain(@Nullable Duration limit) {
        Successor next = present();
        long begun = System.nanoTime();
        while (!isStopping) {
            tellSlots(next);
            long nanos = System.nanoTime() - begun;
            if (!isServed(next)) {
                LOG.log(Level.WARNING, "the new process has ended: stopping");
                return true;
            }
            boolean isDrained = haveEnded() && areSettled();
            Duration answers = wasAsked ? ANSWERS_MIN : ANSWERS_MAX;
            if (isDrained && nanos > answers.toNanos()) {
                return true;
            }
            if (!isDrained && limit != null && nanos > limit.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    private boolean haveEnded() {
        return capsules.stream().allMatch(Capsule::hasEnded)
                && standing.heldByAll() == 0
                && acts.areSuspectsDone().getAsBoolean();
    }

    /// Jobs whose outcomes Redis does not get run again. The log names a wait for it.
    private boolean areSettled() {
        if (capsules.stream().allMatch(Capsule::hasSettled)) {
            return true;
        }
        unsettledLooks++;
        if (unsettledLooks == UNSETTLED_LOOKS) {
            LOG.log(
                    Level.INFO,
                    "restart: the jobs of the old code have ended; their outcomes wait for Redis");
        }
        return false;
    }

    /// Whether the new process lives, or the one that has taken its place in turn.
    private boolean isServed(Successor next) {
        return next.isAlive() || isRunning(presentServer(next));
    }

    /// False also of one that has ended and whose status nobody has asked for, as of an orphan that
    /// this process was given.
    private static boolean isRunning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false;
        }
    }

    private long presentServer(Successor next) {
        if (standing.giver().isPresent()) {
            return next.pid();
        }
        try {
            return Long.parseLong(Files.readString(guardian().folder().resolve(FILE)).strip());
        } catch (IOException | NumberFormatException _) {
            return next.pid();
        }
    }

    /// Whether the new process is to be the server.
    boolean hasGivenWay() {
        return hasGivenWay;
    }

    /// Whether it has begun to work as such.
    boolean isTaken() {
        return isTaken;
    }

    /// Of the process that has taken this one's place; "" when none has.
    String identity() {
        return isTaken ? identity : "";
    }

    /// Takes note that somebody has seen the result.
    void isAsked() {
        wasAsked = isTaken;
    }

    /// Passes a signal on to the new server; `isEnd` if whoever gets it claims no more.
    synchronized void forward(String signal, boolean isEnd) {
        if (hasGivenWay) {
            present().send(Cord.Kind.SIGNAL, signal);
        } else if (isEnd) {
            isSignalled = true;
        }
    }

    /// Ends the new process if it has not taken over.
    synchronized void stop() {
        isStopping = true;
        Successor next = successor;
        if (next != null && !hasGivenWay) {
            next.end();
        }
    }

    /// Ends the new process, as this one is to end at once.
    void endAtOnce() {
        Successor next = successor;
        if (next != null) {
            next.end();
        }
    }

    /// The exit code of this process, which has stopped, or no return: it becomes the waiter where
    /// a supervisor knows its id.
    int leave() {
        Successor next = present();
        long server = presentServer(next);
        if (!next.isAlive() && server == next.pid()) {
            return next.status();
        }
        if (standing.giver().isPresent() || standing.guardian().isPresent()) {
            return 0;
        }
        return Waiter.become(next.isAlive() ? next.pid() : server, apps.folder());
    }
}
