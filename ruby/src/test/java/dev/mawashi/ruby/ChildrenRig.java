package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.Eventually;
import dev.mawashi.broker.MemoryBroker;
import dev.mawashi.children.ChildLimits;
import dev.mawashi.children.ChildPool;
import dev.mawashi.children.ChildServices;
import dev.mawashi.children.Family;
import dev.mawashi.children.ParentSettings;
import dev.mawashi.dispatch.CapsuleRig;
import dev.mawashi.dispatch.CapsuleSettings;
import dev.mawashi.dispatch.Execution;
import dev.mawashi.dispatch.TimeLimits;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.job.Dialect;
import dev.mawashi.lifecycle.PrivateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A capsule whose jobs real MRI children run, with Debian's sidekiq gem and the app `children.rb`.
/// Redis, for jobs that enqueue, is the capsule's own queue; the queue `refused` is none.
final class ChildrenRig implements AutoCloseable, ChildServices {
    private static final Path PROGRAM =
            Path.of("src/main/ruby/mawashi/children/main.rb").toAbsolutePath();
    private static final Path APPS = Path.of("src/test/ruby/apps").toAbsolutePath();

    private final Path folder;
    private final MemoryBroker memory = new MemoryBroker();
    private final List<String> printed = new CopyOnWriteArrayList<>();
    private final Map<String, Long> printers = new ConcurrentHashMap<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final List<Integer> enqueued = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isHolding = new AtomicBoolean();
    private final PrivateFolder own;
    private final Family family;
    private final ChildPool pool;
    private final CapsuleRig capsule;

    /// @param folder where jobs tell what they did
    ChildrenRig(Path folder, int processes, int threads) {
        this(folder, processes, threads, TimeLimits.NONE, ChildLimits.NONE);
    }

    ChildrenRig(
            Path folder, int processes, int threads, TimeLimits limits, ChildLimits childLimits) {
        this(
                folder,
                "children.rb",
                family -> family.pool(processes, threads, childLimits, Dialect.SIDEKIQ),
                limits);
    }

    private ChildrenRig(
            Path folder, String app, Function<Family, ChildPool> pools, TimeLimits limits) {
        this.folder = folder;
        own = PrivateFolder.open(Map.of("TMPDIR", folder.toString()));
        ParentSettings settings =
                new ParentSettings(
                        List.of("ruby"),
                        () -> PROGRAM,
                        TestRuby.environment(Map.of("TOLD", folder.toString())),
                        List.of(Map.entry("require", APPS.resolve(app).toString())),
                        own);
        family = new Family(settings, this, troubles::add);
        // Places do not begin at 0 here, as those of a server's second capsule do not.
        ChildPool _ = family.pool(1, 1);
        pool = pools.apply(family);
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("q", 0);
        queues.put("slow", 0);
        capsule =
                new CapsuleRig(
                        memory,
                        new Execution.Children(pool),
                        new CapsuleSettings(
                                "default", pool.slots(0), new QueueOrder(queues), limits));
    }

    /// One that forks for each job, with the app `forks.rb`.
    static ChildrenRig forks(Path folder, int atOnce) {
        return forks(folder, atOnce, TimeLimits.NONE);
    }

    static ChildrenRig forks(Path folder, int atOnce, TimeLimits limits) {
        return new ChildrenRig(
                folder, "forks.rb", family -> family.forks(1, atOnce, Dialect.SIDEKIQ), limits);
    }

    /// One process, with the app `ends.rb`.
    static ChildrenRig ends(Path folder, int threads) {
        return new ChildrenRig(
                folder, "ends.rb", family -> family.pool(1, threads), TimeLimits.NONE);
    }

    /// One process with one thread, and an app of that name.
    static ChildrenRig app(Path folder, String app) {
        return new ChildrenRig(folder, app, family -> family.pool(1, 1), TimeLimits.NONE);
    }

    /// Like [#ends], forking for each job.
    static ChildrenRig endsOfForkers(Path folder, int atOnce) {
        return appOfForkers(folder, "ends.rb", atOnce);
    }

    static ChildrenRig appOfForkers(Path folder, String app, int atOnce) {
        return new ChildrenRig(
                folder, app, family -> family.forks(1, atOnce, Dialect.SIDEKIQ), TimeLimits.NONE);
    }

    ChildrenRig start() {
        family.boot();
        capsule.start();
        return this;
    }

    /// The same as a server does it: the first child starts up before it knows its work.
    ChildrenRig startUp() {
        family.boot();
        if (family.startUp() == null) {
            throw new AssertionError("a block for :startup has failed: " + printed);
        }
        capsule.start();
        return this;
    }

    MemoryBroker memory() {
        return memory;
    }

    CapsuleRig capsule() {
        return capsule;
    }

    ChildPool pool() {
        return pool;
    }

    /// Where sockets are, and what tells of the parent's process.
    Path ownFolder() {
        return own.path();
    }

    /// What processes printed.
    List<String> printed() {
        return printed;
    }

    /// The pid of the process that has printed a line to its standard error; 0 for the parent.
    long printer(String line) {
        return printers.getOrDefault(line, -1L);
    }

    List<String> troubles() {
        return troubles;
    }

    void push(String jid, String jobClass, String args) {
        push("q", jid, jobClass, args, "");
    }

    /// @param more fields of the payload, each with a comma before it
    void push(String queue, String jid, String jobClass, String args, String more) {
        capsule.push(
                queue,
                """
                {"class":"%s","args":%s,"jid":"%s","created_at":1795225660717%s}\
                """
                        .formatted(jobClass, args, jid, more));
    }

    /// The lines that jobs wrote into a file.
    List<String> told(String file) {
        try {
            Path path = folder.resolve(file);
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Lets jobs go on that wait at this gate.
    void open(String gate) {
        try {
            Files.createFile(folder.resolve(gate + ".open"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Of the jobs that wrote such lines.
    static Set<String> jids(List<String> lines) {
        return lines.stream()
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static String texts(List<byte[]> payloads) {
        return payloads.stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList()
                .toString();
    }

    @Override
    public void wrote(byte[] lines, int length) {
        new String(lines, 0, length, UTF_8).lines().forEach(printed::add);
    }

    @Override
    public void printed(long pid, @Nullable String jid, String line) {
        printed.add(jid == null ? line : "jid=" + jid + ": " + line);
        printers.put(line, pid);
    }

    /// Has the next request wait until the gate is opened.
    void holdNextEnqueue() {
        isHolding.set(true);
    }

    /// How many requests came together each time.
    List<Integer> enqueued() {
        return enqueued;
    }

    @Override
    public List<String> enqueue(List<List<NewJob>> requests) {
        enqueued.add(requests.size());
        if (isHolding.compareAndSet(true, false)) {
            Eventually.until("enqueue.open", () -> Files.exists(folder.resolve("enqueue.open")));
        }
        List<NewJob> jobs = requests.stream().flatMap(List::stream).toList();
        if (jobs.stream().anyMatch(job -> job.queue().equals("refused"))) {
            throw new IllegalStateException("no Redis here");
        }
        jobs.forEach(job ->
                capsule.push(job.queue(), new String(job.payload(), StandardCharsets.UTF_8)));
        return requests.stream().map(_ -> "").toList();
    }

    @Override
    public List<byte[]> iteration(List<byte[]> words) {
        throw new IllegalStateException("no Redis here");
    }

    @Override
    public void close() {
        capsule.close();
        pool.close();
        family.close();
        own.close();
    }
}
