package dev.mawashi.children;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The output of a process. Its standard output goes to the server's unchanged, since an app's
/// logger writes there; its standard error goes to the server's log line by line. The last lines
/// are kept for the case that the process dies.
final class Printed {
    private static final int LINES_KEPT = 5;

    /// Of what comes at once, since most of it may be a backtrace.
    private static final int LINES_LOOKED_AT = 50;

    private static final Pattern BACKTRACE = Pattern.compile("\\s*\\S.*:\\d+:in [`'][^']*'");
    private static final int LINE_CHARACTERS_MAX = 10_000;
    private static final int BUFFER_BYTES = 64 << 10;

    /// How long what is printed meanwhile gathers, to be passed on together.
    private static final Duration GATHERING = Duration.ofMillis(1);

    private final long pid;
    private final ChildServices services;
    private final Deque<String> last = new ArrayDeque<>();
    private final CompletableFuture<Void> outputEnd = new CompletableFuture<>();
    private final CompletableFuture<Void> errorsEnd = new CompletableFuture<>();

    /// @param pid of the child; 0 for the parent
    Printed(long pid, ChildServices services) {
        this.pid = pid;
        this.services = services;
    }

    /// Has both streams of the process read on threads of their own.
    ///
    /// @param name what the threads' names end in
    void read(String name, InputStream output, InputStream errors) {
        readOutput(name, output);
        readErrors(name, errors);
    }

    /// A platform thread: it may have as much to read as all jobs have to log.
    void readOutput(String name, InputStream output) {
        Thread.ofPlatform()
                .name("mawashi-output-" + name)
                .daemon()
                .start(() -> {
                    passOn(output);
                    outputEnd.complete(null);
                });
    }

    void readErrors(String name, InputStream errors) {
        Thread.ofVirtual()
                .name("mawashi-errors-" + name)
                .start(() -> {
                    log(errors);
                    errorsEnd.complete(null);
                });
    }

    /// Returns when all is read. Processes that this one has left behind may hold its streams open
    /// for ever.
    void await(Duration patience) {
        Void _ =
                CompletableFuture.allOf(outputEnd, errorsEnd)
                        .completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS)
                        .join();
    }

    private void passOn(InputStream stream) {
        byte[] buffer = new byte[BUFFER_BYTES];
        int held = 0;
        try (stream) {
            int read = stream.read(buffer);
            while (read >= 0) {
                held += read;
                held -= passOnLines(buffer, held - read, held);
                LockSupport.parkNanos(GATHERING.toNanos());
                read = stream.read(buffer, held, BUFFER_BYTES - held);
            }
        } catch (IOException _) {
            // The process has ended; what it printed before was read.
        }
        if (held > 0) {
            buffer[held] = '\n';
            passOn(buffer, held + 1);
        }
    }

    /// Others write there too, so it gets whole lines; but a line without an end must not fill the
    /// memory.
    ///
    /// @param seen bytes in which there is no end of a line
    /// @return bytes passed on
    private int passOnLines(byte[] buffer, int seen, int held) {
        int whole = held;
        while (whole > seen && buffer[whole - 1] != '\n') {
            whole--;
        }
        if (whole == seen) {
            whole = held == buffer.length ? held : 0;
        }
        if (whole > 0) {
            passOn(buffer, whole);
            System.arraycopy(buffer, whole, buffer, 0, held - whole);
        }
        return whole;
    }

    private void passOn(byte[] buffer, int length) {
        remember(buffer, length);
        services.wrote(buffer, length);
    }

    private void remember(byte[] buffer, int length) {
        int start = length;
        for (int lines = 0; lines < LINES_LOOKED_AT && start > 0; lines++) {
            start--;
            while (start > 0 && buffer[start - 1] != '\n') {
                start--;
            }
        }
        new String(buffer, start, length - start, StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.substring(0, Math.min(line.length(), LINE_CHARACTERS_MAX)))
                .forEach(this::remember);
    }

    private void log(InputStream stream) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line = line(reader);
            while (line != null) {
                remember(line);
                services.printed(pid, null, line);
                line = line(reader);
            }
        } catch (IOException _) {
            // The process has ended; what it printed before was read.
        }
    }

    /// A line without an end is cut into pieces, so that none fills the memory.
    private static @Nullable String line(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        int character = reader.read();
        if (character < 0) {
            return null;
        }
        while (character >= 0 && character != '\n' && line.length() < LINE_CHARACTERS_MAX) {
            line.append((char) character);
            character = reader.read();
        }
        return line.toString();
    }

    /// The line before a backtrace says more than its end.
    private synchronized void remember(String line) {
        if (line.endsWith("'") && BACKTRACE.matcher(line).matches()) {
            return;
        }
        last.addLast(line);
        if (last.size() > LINES_KEPT) {
            last.removeFirst();
        }
    }

    synchronized List<String> last() {
        return new ArrayList<>(last);
    }
}
