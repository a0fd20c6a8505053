package dev.mawashi.faults;

import dev.mawashi.Eventually;
import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Ledger;
import dev.mawashi.acceptance.Programs;
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

    private static final String APP = Programs.SCRIPTS.resolve("faults.rb").toString();
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long QUIET_NANOS = Duration.ofSeconds(4).toNanos();

    private final Path folder;
    private final Settings settings;
    private final Ledger ledger;
    private final Random random;
    private final Map<Long, Long> deaths = new HashMap<>();
    private final List<Checker.Fault> faults = new ArrayList<>();
    private final List<Long> repairs = new ArrayList<>();
    private final Set<RealRedis> others = new HashSet<>();
    private @Nullable RealRedis redis;
    private @Nullable FaultProxy link;
    private @Nullable Programs programs;
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

    /// The Redis that jobs are in; without persistence if no scenario has started it otherwise.
    RealRedis redis() {
        return redis == null ? startRedis("--appendonly", "no") : redis;
    }

    /// Starts the Redis with options of its own; comes before all else.
    RealRedis startRedis(String... options) {
        redis = new RealRedis(folder.resolve("redis"), options);
        return redis;
    }

    /// Starts a replica of the Redis, and waits until it has all.
    RealRedis replica() {
        RealRedis replica = new RealRedis(folder.resolve("replica" + others.size()));
        others.add(replica);
        follow(replica, redis());
        return replica;
    }

    /// Makes one the replica of another, and waits until it has all.
    void follow(RealRedis replica, RealRedis master) {
        replica.call("REPLICAOF", "127.0.0.1", "" + master.address().port());
        await("the replica follows", () -> replica.isInStep());
    }

    /// Makes another Redis the one that jobs are in, for servers behind `link`.
    void pointTo(RealRedis other) {
        others.add(redis());
        redis = other;
        link().pointTo(other.address());
    }

    /// The proxy that servers reach Redis through if a scenario has asked for it before it starts
    /// them.
    FaultProxy link() {
        if (link == null) {
            link = new FaultProxy(redis().address());
        }
        return link;
    }

    private Programs programs() {
        if (programs == null) {
            programs =
                    new Programs(
                            folder, (link == null ? redis().address() : link.address()).toString());
        }
        return programs;
    }

    /// Starts a server and waits until it works. What comes last in the flags counts.
    Child serve(String... flags) {
        Child server = begin(flags);
        if (settings.isSidekiq()) {
            await("sidekiq is up", () -> ledger.byPid("up").containsKey(server.pid()));
            return server;
        }
        return server.awaitLog("working on");
    }

    /// Starts a server by a command that starts others, and waits until it works.
    ///
    /// @param before words of that command
    Child serveUnder(List<String> before, String... flags) {
        List<String> command = new ArrayList<>(before);
        command.addAll(Programs.mawashiCommand(run(flags).toArray(String[]::new)));
        return programs().start("mawashi", command, Map.of()).awaitLog("working on");
    }

    /// Starts a server.
    Child begin(String... flags) {
        if (!settings.isSidekiq()) {
            return programs().mawashi(Map.of(), run(flags).toArray(String[]::new));
        }
        List<String> all = new ArrayList<>(List.of("-c", "" + SLOTS));
        all.addAll(List.of(flags));
        return programs().sidekiq(APP, all.toArray(String[]::new));
    }

    private List<String> run(String... flags) {
        List<String> all = new ArrayList<>(List.of("run", "-r", APP, "-c", "" + SLOTS));
        all.addAll(List.of("--runner", settings.runner()));
        all.addAll(List.of("--lease", "" + settings.lease(), "--sweep", "" + settings.sweep()));
        if (settings.runner().equals("mri")) {
            all.addAll(List.of("--processes", "2"));
        }
        all.addAll(List.of(flags));
        return all;
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
            producer = new Producer(folder, () -> redis().connect());
        }
        return producer;
    }

    /// What Redis answers to a command whose reply is a list.
    List<String> texts(String... command) {
        try (RedisConnection connection = redis().connect()) {
            return new Contents(connection).texts(command);
        }
    }

    /// What Redis answers to a command whose reply is a text.
    String text(String... command) {
        return Contents.text(redis().call(command));
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
            try (RedisConnection connection = redis().connect()) {
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
        try {
            Eventually.until(what, LIMIT, condition);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + programs().logs(), late);
        }
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
        try (RedisConnection connection = redis().connect()) {
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
        return programs().logs();
    }

    @Override
    public void close() {
        if (programs != null) {
            programs.close();
        }
        if (producer != null) {
            producer.close();
        }
        if (link != null) {
            link.close();
        }
        if (redis != null) {
            redis.close();
        }
        others.forEach(RealRedis::close);
    }
}
