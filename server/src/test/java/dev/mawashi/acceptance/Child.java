package dev.mawashi.acceptance;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A process that a test started, with all it prints in a file. Closing kills it.
public final class Child implements AutoCloseable {
    /// Only a hang takes that long.
    static final Duration LIMIT = Duration.ofSeconds(90);

    private final String name;
    private final Process process;
    private final Path log;

    Child(String name, ProcessBuilder command, Path log) {
        this.name = name;
        this.log = log;
        try {
            process = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        } catch (IOException e) {
            throw new UncheckedIOException("run ./check once: it brings " + command.command(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /// All it has printed so far, while it lives without a line that has no end yet: even of one
    /// that is a single write a reader may see the part before a page's end first.
    public String log() {
        boolean isWhole = !process.isAlive();
        try {
            String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
            return isWhole ? text : text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<String> logLines() {
        return log().lines().toList();
    }

    /// Waits until it has printed these texts, in whatever order.
    public Child awaitLog(String... texts) {
        for (String text : texts) {
            awaitLog(text);
        }
        return this;
    }

    /// Waits until it has printed some text.
    public Child awaitLog(String text) {
        await("\"" + text + "\" in the log", () -> log().contains(text) || !process.isAlive());
        if (!log().contains(text)) {
            throw new AssertionError(
                    "%s ended without printing \"%s\":%n%s".formatted(name, text, log()));
        }
        return this;
    }

    private void await(String what, java.util.function.BooleanSupplier condition) {
        try {
            Eventually.until(what, LIMIT, condition);
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + "; " + name + ":\n" + log(), late);
        }
    }

    /// Writes a line to its standard input.
    void write(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(log(), e);
        }
    }

    /// Closes its standard input.
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends signals, such as `TERM`, one right after the other.
    public void signal(String... signals) {
        String all = String.join(" && ", Stream.of(signals).map(this::killCommand).toList());
        if (shell(all) != 0) {
            throw new AssertionError("cannot send " + all + " to " + name + ":\n" + log());
        }
    }

    /// Sends a signal to all processes that it has started, and those to theirs.
    void signalDescendants(String signal) {
        String pids =
                process.descendants()
                        .map(one -> Long.toString(one.pid()))
                        .collect(Collectors.joining(" "));
        if (shell("kill -" + signal + " " + pids) != 0) {
            throw new AssertionError("cannot send " + signal + " to " + pids + " of " + name);
        }
    }

    /// Sends a signal five times per second.
    public void signalUntilItEnds(String signal) {
        int _ = shell("while " + killCommand(signal) + " 2>&1; do sleep 0.2; done");
    }

    private String killCommand(String signal) {
        return "kill -" + signal + " " + process.pid();
    }

    private static int shell(String command) {
        try {
            return new ProcessBuilder("sh", "-c", command).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Waits until it has ended, and returns its exit code.
    public int awaitExit() {
        return awaitExit(LIMIT);
    }

    /// The same of one that has much to do.
    public int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + " does not end:\n" + log());
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return process.exitValue();
    }

    /// `kill -9`.
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return name + " " + pid();
    }
}
