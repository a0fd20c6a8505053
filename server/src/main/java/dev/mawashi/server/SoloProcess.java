package dev.mawashi.server;

import dev.mawashi.children.Home;
import dev.mawashi.lifecycle.Service;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A second process of this server's command, in which suspects run alone while this one goes on
/// with its work. There is one at a time, and only while there are suspects.
///
/// It has a lease of its own. Should it die, its suspect is found like the jobs of any dead
/// process, and the crash counts against that job alone. We steer it by its standard input: a line
/// quiets it, and the end of the stream stops it, whether we stop or die.
final class SoloProcess implements Service {
    /// The last word of its command line.
    static final String FLAG = "--alone";

    private static final System.Logger LOG = System.getLogger(SoloProcess.class.getName());
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /// Flags that only one process can have, since they open a port.
    private static final List<String> NOT_TWICE =
            List.of("-agentlib:jdwp", "-Dcom.sun.management.jmxremote");

    /// Words of the JVM behind which files are named.
    private static final Set<String> CLASS_PATHS =
            Set.of("-cp", "-classpath", "--class-path", "-jar");

    private static final String AGENT = "-javaagent:";

    /// Variables of systemd, which knows only this process.
    private static final Set<String> OURS =
            Set.of("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "MAINPID");

    /// The pause after a failure, doubled with each further one in a row.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int DOUBLED_MAX = 8;

    private final Supplier<Home> home;
    private @Nullable Process process;
    private int failures;
    private long failedNanos;
    private boolean isStopping;

    /// @param home folder and environment of the present code
    SoloProcess(Supplier<Home> home) {
        this.home = home;
    }

    @Override
    public void start() {
        // `want` starts the process.
    }

    /// Starts the process, if it does not run: there are suspects. Safe for any thread.
    synchronized void want() {
        if (isStopping || process != null || isResting()) {
            return;
        }
        try {
            Process started = builder().start();
            process = started;
            LOG.log(
                    Level.INFO,
                    "jobs that were in hand when processes died run alone in process "
                            + started.pid());
            CompletableFuture<Void> _ = started.onExit().thenAccept(this::ended);
        } catch (IOException | IllegalStateException failure) {
            fail("cannot start a process in which suspects run alone: " + failure.getMessage());
        }
    }

    private boolean isResting() {
        long rest = PAUSE.toNanos() << Math.min(failures, DOUBLED_MAX);
        return failures > 0 && System.nanoTime() - failedNanos < rest;
    }

    private synchronized void ended(Process gone) {
        process = null;
        if (gone.exitValue() == 0) {
            failures = 0;
        } else {
            fail(
                    "process %s, in which suspects ran alone, ended with status %s"
                            .formatted(gone.pid(), gone.exitValue()));
        }
    }

    private void fail(String message) {
        failures++;
        failedNanos = System.nanoTime();
        LOG.log(Level.WARNING, message);
    }

    private ProcessBuilder builder() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command());
        Home present = home.get();
        Path folder = present.folder();
        if (folder != null) {
            builder.command(elsewhere(builder.command(), Path.of("").toAbsolutePath()));
            builder.directory(folder.toFile());
        }
        present.environment()
                .forEach((name, value) -> {
                    String own = System.getenv(name);
                    if (own != null && !own.equals(value)) {
                        builder.environment().put(name, value);
                    }
                });
        builder.environment().keySet().removeAll(OURS);
        return builder.redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /// The command of this process, with the flag.
    private static List<String> command() throws IOException {
        List<String> command = new ArrayList<>();
        for (String word : ownCommand()) {
            if (NOT_TWICE.stream().noneMatch(word::startsWith)) {
                command.add(word);
            }
        }
        command.add(FLAG);
        return command;
    }

    /// A command line of Java's for another folder: the program, the class path and agents are
    /// those of this one. What follows the class path is the server's, and means files of the app.
    static List<String> elsewhere(List<String> command, Path here) {
        List<String> words = new ArrayList<>(command);
        if (words.getFirst().contains("/")) {
            words.set(0, here.resolve(words.getFirst()).toString());
        }
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith(AGENT)) {
                words.set(i, AGENT + here.resolve(word.substring(AGENT.length())));
            } else if (CLASS_PATHS.contains(words.get(i - 1))) {
                words.set(
                        i,
                        Stream.of(word.split(File.pathSeparator, -1))
                                .map(entry -> here.resolve(entry).toString())
                                .collect(Collectors.joining(File.pathSeparator)));
                return words;
            }
        }
        return words;
    }

    private static List<String> ownCommand() throws IOException {
        if (Files.exists(COMMAND_LINE)) {
            // ProcessHandle does not show a command line longer than a page of memory.
            String all = Files.readString(COMMAND_LINE, StandardCharsets.UTF_8);
            List<String> words = new ArrayList<>(List.of(all.split("\0", -1)));
            words.removeLast();
            return words;
        }
        ProcessHandle.Info self = ProcessHandle.current().info();
        List<String> words = new ArrayList<>();
        words.add(
                self.command()
                        .orElseThrow(() -> new IllegalStateException("no command line is shown")));
        words.addAll(List.of(self.arguments().orElse(new String[0])));
        return words;
    }

    /// Quiets the process: its job goes on, and it claims no more.
    synchronized void quiet() {
        isStopping = true;
        if (process != null) {
            try {
                OutputStream input = process.getOutputStream();
                input.write('\n');
                input.flush();
            } catch (IOException _) {
                // The process has ended.
            }
        }
    }

    /// Asks the process to stop. It gives its job the same time that we give ours.
    synchronized void askToStop() {
        isStopping = true;
        if (process != null) {
            try {
                process.getOutputStream().close();
            } catch (IOException _) {
                // The process has ended.
            }
        }
    }

    /// Asks the process to stop, and leaves it to itself if it still runs after `patience`: if we
    /// killed it, its job would be blamed.
    @Override
    public void stop(Duration patience) {
        askToStop();
        Process last;
        synchronized (this) {
            last = process;
        }
        try {
            if (last != null && !last.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "process " + last.pid() + " still stops by itself");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
