package dev.mawashi.faults;

import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Ledger;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What a scenario is done to: a Redis of its own, servers that work on it, a producer, and a
/// ledger outside that Redis. Closing ends all of it.
final class Rig implements AutoCloseable {
    /// Of each server, whatever the runner.
    static final int SLOTS = 10;

    /// Of what a scenario waits for.
    static final Duration LIMIT = Duration.ofMinutes(3);

    private static final long QUIET_NANOS = Duration.ofSeconds(4).toNanos();

    private final Path folder;
    private final Settings settings;
    private final Ledger ledger;
    private final Random random;
    private final Map<Long, Long> deaths = new HashMap<>();
    private final List<Checker.Fault> faults = new ArrayList<>();
    private final List<Long> repairs = new ArrayList<>();
    private final Redises redises;
    private @Nullable Servers servers;
    private @Nullable Producer producer;

    /// @param runner that runs the jobs
    /// @param isSidekiq whether MRI's sidekiq takes the place of `mawashi run`
    /// @param lease and `sweep` in seconds
    /// @param minutes that a scenario whose length can be chosen is to take, 0 for its shortest
    /// @param patience how much longer than promised a recovery may take, for a busy machine
    record Settings(
            String runner,
            boolean isSidekiq,
            long seed,
            double lease,
            double sweep,
            double minutes,
            Duration patience) {}

    /// @param folder an empty one
    Rig(Path folder, Settings settings) {
        this.folder = folder;
        this.settings = settings;
        ledger = new Ledger(folder);
        redises = new Redises(folder);
        random = new Random(settings.seed());
    }

    Settings settings() {
        return settings;
    }

    Random random() {
        return random;
    }

    Ledger ledger() {
        return ledger;
    }

    /// The Redis that jobs are in.
    RealRedis redis() {
        return redises.inUse();
    }

    Redises redises() {
        return redises;
    }

    /// The proxy that servers reach Redis through if a scenario has asked for it before it starts
    /// them.
    FaultProxy link() {
        return redises.link();
    }

    /// Starts a server and waits until it works. What comes last in the flags counts.
    Child serve(String... flags) {
        return servers().serve(flags);
    }

    /// Starts a server by a command that starts others, and waits until it works.
    ///
    /// @param before words of that command
    Child serveUnder(List<String> before, String... flags) {
        return servers().serveUnder(before, flags);
    }

    private Servers servers() {
        if (servers == null) {
            servers = new Servers(folder, settings, redises.address());
        }
        return servers;
    }

    /// Enqueues jobs that take some milliseconds, and returns their jids.
    List<String> push(int count, double milliseconds) {
        return pushArgs(count, "[%s]".formatted(milliseconds));
    }

    /// Enqueues jobs that wait for `openGate`.
    List<String> pushGated(int count) {
        return pushArgs(count, "[0,\"gate\"]");
    }

    /// @param args JSON text
    List<String> pushArgs(int count, String args) {
        return push(Producer.QUEUE, count, args);
    }

    List<String> push(String queue, int count, String args) {
        return producer().push(queue, count, args, 0);
    }

    /// Puts jobs into `schedule`, due after so many seconds.
    List<String> pushLater(int count, double seconds) {
        return producer().push(Producer.QUEUE, count, "[1]", seconds);
    }

    private Producer producer() {
        if (producer == null) {
            producer = new Producer(folder, redises::connect);
        }
        return producer;
    }

    /// What Redis answers to a command whose reply is a list.
    List<String> texts(String... command) {
        try (RedisConnection connection = redises.connect()) {
            return new Contents(connection).texts(command);
        }
    }

    /// What Redis answers to a command whose reply is a text.
    String text(String... command) {
        try (RedisConnection connection = redises.connect()) {
            return Contents.text(connection.call(command));
        }
    }

    /// Lets the jobs of `pushGated` end.
    void openGate() {
        try {
            Files.createFile(folder.resolve("gate.open"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Acknowledged jobs that have not ended yet, about.
    long waiting() {
        return acknowledged() - ended();
    }

    long acknowledged() {
        return ledger.count("ok", "FaultJob");
    }

    /// Jobs that began, runs counted.
    long begun() {
        return ledger.count("begin", "FaultJob");
    }

    /// Jobs that ended, runs counted.
    long ended() {
        return ledger.count("end", "FaultJob");
    }

    void awaitBegun(long count) {
        await(count + " runs begin", () -> begun() >= count);
    }

    void awaitEnded(long count) {
        await(count + " runs end", () -> ended() >= count);
    }

    /// Notes that a fault begins, and what it takes out of hand.
    void fault(Set<String> inHand) {
        faults.add(new Checker.Fault(System.nanoTime(), Set.copyOf(inHand)));
    }

    /// Notes that what was broken is whole again.
    void repaired() {
        repairs.add(System.nanoTime());
    }

    /// `kill -9` of a server; returns what it had in hand.
    Set<String> kill(Child server) {
        return kill(server, server.pid());
    }

    /// @param pid by which the server knows itself
    Set<String> kill(Child server, long pid) {
        long at = System.nanoTime();
        server.kill();
        deaths.put(pid, System.nanoTime());
        Set<String> inHand = inHandsOf(pid);
        faults.add(new Checker.Fault(at, inHand));
        return inHand;
    }

    /// The jids that Redis, or for want of that the ledger, says a server holds.
    Set<String> inHandsOf(Child server) {
        return inHandsOf(server.pid());
    }

    private Set<String> inHandsOf(long pid) {
        if (!settings.isSidekiq()) {
            try (RedisConnection connection = redises.connect()) {
                return new Contents(connection).inHandsOf(pid);
            }
        }
        Set<String> open = new HashSet<>();
        for (Ledger.Line line : ledger.lines()) {
            if (line.pid() == pid) {
                if (line.step().equals("begin")) {
                    open.add(line.subject());
                } else {
                    open.remove(line.subject());
                }
            }
        }
        return open;
    }

    /// Lets some time of a fault pass.
    void pause(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    void await(String what, BooleanSupplier condition) {
        servers().await(what, condition);
    }

    /// Waits until every acknowledged job has run to its end and been settled, or nothing is left
    /// that could run.
    void drain() {
        long giveUp = System.nanoTime() + LIMIT.toNanos();
        long quietSince = System.nanoTime();
        long steps = -1;
        while (true) {
            Checker.Left left = left();
            long now = System.nanoTime();
            if (begun() + ended() != steps) {
                steps = begun() + ended();
                quietSince = now;
            }
            boolean isEmpty = left.places().size() == left.failed().size();
            if (isEmpty && (isAllDone(left) || now - quietSince > QUIET_NANOS)) {
                return;
            }
            if (now > giveUp) {
                throw new AssertionError("not done: " + left + logs());
            }
            pause(Duration.ofMillis(100));
        }
    }

    private boolean isAllDone(Checker.Left left) {
        Set<String> waiting = new HashSet<>(ledger.byJid("ok").keySet());
        waiting.removeAll(ledger.byJid("end").keySet());
        waiting.removeAll(left.failed());
        return waiting.isEmpty();
    }

    private Checker.Left left() {
        try (RedisConnection connection = redises.connect()) {
            return new Contents(connection).left();
        } catch (RedisFailure _) {
            // It is away: not empty, for all that is known.
            return new Checker.Left(Map.of("unknown", 1), Set.of());
        }
    }

    Findings findings() {
        return new Checker(ledger.lines(), deaths, faults, repairs, left()).findings();
    }

    /// What all programs have printed.
    String logs() {
        return servers().logs();
    }

    @Override
    public void close() {
        if (servers != null) {
            servers.close();
        }
        if (producer != null) {
            producer.close();
        }
        redises.close();
    }
}
