package dev.mawashi.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The whole terminal, until it is closed: its other screen without a cursor, and each key as it is
/// pressed. However the process ends, short of KILL, the terminal is left as it was.
final class Screen implements AutoCloseable {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";
    private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String WIPE_LINE = "\u001b[K";
    private static final String WIPE_BELOW = "\u001b[J";
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,4}) ([1-9]\\d{0,4})");
    private static final TopFrame USUAL = new TopFrame(24, 80);

    private final PrintWriter out;
    private final String before;
    private final Thread hook = Thread.ofPlatform().name("mawashi-screen").unstarted(this::leave);
    private boolean isLeft;

    Screen(PrintWriter out) {
        this.out = out;
        before = stty("-g");
        if (before.isEmpty()) {
            throw new CommandFailure(
                    "stty -g does not report the state of the terminal: use --once");
        }
        Runtime.getRuntime().addShutdownHook(hook);
        synchronized (this) {
            if (!isLeft) {
                // Stopped by Ctrl-Z it would leave the terminal as it is now.
                stty("-icanon", "-echo", "min", "1", "susp", "undef");
                out.print(ENTER);
                out.flush();
            }
        }
    }

    /// Its size now.
    static TopFrame size() {
        Matcher size = SIZE.matcher(stty("size"));
        return size.matches()
                ? new TopFrame(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)))
                : USUAL;
    }

    /// Shows these lines in the place of the last ones.
    synchronized void show(List<String> lines) {
        if (!isLeft) {
            out.print(HOME + String.join(WIPE_LINE + "\r\n", lines) + WIPE_LINE + WIPE_BELOW);
            out.flush();
        }
    }

    private synchronized void leave() {
        if (!isLeft) {
            isLeft = true;
            out.print(LEAVE);
            out.flush();
            stty(before);
        }
    }

    @Override
    public void close() {
        leave();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The JVM ends, and the hook finds nothing to do.
        }
    }

    /// Calls stty(1) for the terminal on stdin.
    ///
    /// @return what it prints; "" when it fails
    private static String stty(String... words) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(ProcessBuilder.Redirect.INHERIT)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            byte[] said = process.getInputStream().readAllBytes();
            return process.waitFor() == 0
                    ? new String(said, StandardCharsets.US_ASCII).strip()
                    : "";
        } catch (IOException e) {
            throw new CommandFailure("top needs stty(1) for the keys: install it, or use --once");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }
}
