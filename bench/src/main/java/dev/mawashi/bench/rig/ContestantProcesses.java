package dev.mawashi.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The processes of a contestant while it runs. They end with the harness: the kernel kills them
/// with the thread that started them, where there is a `setpriv` for that.
final class ContestantProcesses implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(40);
    private static final long KILL_SECONDS_MAX = 5;

    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private final Contestant contestant;
    private final ProcessBuilder builder;
    private final Path log;
    private final Thread end;

    private ContestantProcesses(Contestant contestant, ProcessBuilder builder, Path log) {
        this.contestant = contestant;
        this.builder = builder;
        this.log = log;
        end = Thread.ofPlatform().name("mawashi-end-1").unstarted(this::kill);
    }

    /// Starts a contestant's processes.
    ///
    /// @param environment under the contestant's
    /// @param log where their output goes
    static ContestantProcesses start(
            Contestant contestant, Map<String, String> environment, Path log) {
        List<String> command = new ArrayList<>(Programs.tether());
        command.addAll(contestant.command());
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        builder.environment().putAll(contestant.environment());
        ContestantProcesses crew = new ContestantProcesses(contestant, builder, log);
        Runtime.getRuntime().addShutdownHook(crew.end);
        crew.startAll();
        return crew;
    }

    private void startAll() {
        try {
            for (int i = 0; i < contestant.processes(); i++) {
                processes.add(builder.start());
            }
        } catch (IOException e) {
            close();
            throw new BenchFailure(
                    "cannot start " + contestant.command().getFirst() + ": " + e.getMessage(), e);
        }
    }

    /// Asks the processes to end as an operator would, and does not wait.
    void askToStop() {
        processes.forEach(Process::destroy);
    }

    /// Starts the processes again once all have ended.
    ///
    /// @return whether they are started
    boolean startWhenEnded() {
        if (processes.stream().anyMatch(Process::isAlive)) {
            return false;
        }
        processes.clear();
        startAll();
        return true;
    }

    /// Starts another command of theirs, in their environment and log; the caller ends it.
    Process beside(List<String> command) {
        List<String> words = new ArrayList<>(Programs.tether());
        words.addAll(command);
        ProcessBuilder other =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        other.environment().putAll(builder.environment());
        try {
            return other.start();
        } catch (IOException e) {
            throw new BenchFailure("cannot start " + command + ": " + e.getMessage(), e);
        }
    }

    /// Waits a little.
    ///
    /// @throws BenchFailure when a process has ended of its own accord
    void await(Duration wait) throws InterruptedException {
        if (processes.getFirst().waitFor(wait.toMillis(), TimeUnit.MILLISECONDS)
                || processes.stream().anyMatch(process -> !process.isAlive())) {
            throw new BenchFailure("a server ended before its jobs were done: " + lastLine());
        }
    }

    /// CPU time of the processes and all that they have started.
    double cpuSeconds() {
        return all().mapToDouble(ProcFile::cpuSeconds).sum();
    }

    /// CPU time of each part that can use one core at most: each thread of the processes, and each
    /// process that they have started, since Ruby lets one thread run at a time there.
    ///
    /// @return seconds by number and name, such as `417 mawashi-claim-1`
    Map<String, Double> parts() {
        Map<String, Double> parts = new HashMap<>();
        roots().forEach(process -> parts.putAll(process.threadSeconds()));
        descendants().forEach(process -> parts.put(process.pid() + " ruby", process.cpuSeconds()));
        return parts;
    }

    /// Largest resident set so far, summed over the processes, so that pages which forks share
    /// count in each; 0 without `/proc`.
    long peakBytes() {
        return all().mapToLong(ProcFile::peakBytes).sum();
    }

    /// The proportional sets (PSS) of the processes that hold the app in MRI: the children with
    /// their parent, or servers without children.
    long rubyBytes() {
        long children = proportionalBytes(descendants());
        return children == 0 ? proportionalBytes(roots()) : children;
    }

    /// The same of all processes.
    long proportionalBytes() {
        return proportionalBytes(all());
    }

    private static long proportionalBytes(Stream<ProcFile> processes) {
        return processes.mapToLong(ProcFile::proportionalBytes).sum();
    }

    /// Threads of all processes.
    long threads() {
        return all().mapToLong(ProcFile::threads).sum();
    }

    /// Open files, sockets and pipes of all processes.
    long descriptors() {
        return all().mapToLong(ProcFile::descriptors).sum();
    }

    /// What the JVMs among the processes that were started have allocated on their heaps since
    /// their start. MRI does not count bytes.
    long allocatedBytes() {
        return roots().filter(ProcFile::isJvm).mapToLong(ContestantProcesses::allocatedBytes).sum();
    }

    private static long allocatedBytes(ProcFile process) {
        try (Internals jvm = Internals.of(process)) {
            return jvm.bytes();
        }
    }

    /// The processes that were started here.
    Stream<ProcFile> roots() {
        return processes.stream().map(process -> new ProcFile(process.pid()));
    }

    /// The processes that `roots` have started.
    Stream<ProcFile> descendants() {
        return processes.stream()
                .flatMap(Process::descendants)
                .map(process -> new ProcFile(process.pid()));
    }

    private Stream<ProcFile> all() {
        return Stream.concat(roots(), descendants());
    }

    /// Ends the processes as an operator would, and waits for them.
    void stop() throws InterruptedException {
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new BenchFailure("a server did not stop on TERM: " + lastLine());
            }
        }
    }

    /// The last line of the processes' output.
    String lastLine() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it printed nothing" : lines.getLast();
        } catch (IOException e) {
            return "its output cannot be read: " + e.getMessage();
        }
    }

    private void kill() {
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            try {
                process.waitFor(KILL_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException _) {
            // The JVM is ending already, and the hook does the same.
        }
    }
}
