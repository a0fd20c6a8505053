package dev.mawashi.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.BooleanSupplier;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// An event as one line in Sidekiq's form, which people have tools for: `2026-11-21T03:04:05.678Z
/// pid=123 tid=abc INFO: message`.
///
/// Control characters of a message are escaped, so that no job's payload can forge a line. Colours,
/// which Sidekiq 8.1 writes even into files, are removed. An error is its class, message and place;
/// its stack trace follows only when verbose.
final class LineFormatter extends Formatter {
    /// As Ruby's `iso8601(3)` has it.
    static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final int LINE_CHARACTERS = 160;
    private static final String PLAIN = "\u001b[0m";

    private final long pid;
    private final boolean isColoured;
    private final BooleanSupplier isVerbose;

    LineFormatter(long pid, boolean isColoured, BooleanSupplier isVerbose) {
        this.pid = pid;
        this.isColoured = isColoured;
        this.isVerbose = isVerbose;
    }

    @Override
    public String format(LogRecord event) {
        StringBuilder line = new StringBuilder(LINE_CHARACTERS);
        TIME.formatTo(event.getInstant(), line);
        line.append(" pid=").append(pid);
        line.append(" tid=").append(Long.toString(event.getLongThreadID(), Character.MAX_RADIX));
        line.append(' ').append(word(event.getLevel())).append(": ");
        appendEscaped(line, formatMessage(event));
        @Nullable Throwable error = event.getThrown();
        if (error != null) {
            appendError(line, error);
        }
        line.append('\n');
        if (error != null && isVerbose.getAsBoolean()) {
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            line.append(trace);
        }
        return line.toString();
    }

    private String word(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return coloured("ERROR", "\u001b[31m");
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return coloured("WARN", "\u001b[33m");
        }
        if (level.intValue() >= Level.INFO.intValue()) {
            return coloured("INFO", "\u001b[32m");
        }
        return coloured("DEBUG", "\u001b[36m");
    }

    private String coloured(String word, String colour) {
        return isColoured ? colour + word + PLAIN : word;
    }

    private static void appendError(StringBuilder line, Throwable error) {
        line.append(" error=").append(error.getClass().getName());
        if (error.getMessage() != null) {
            line.append(": ");
            appendEscaped(line, error.getMessage());
        }
        StackTraceElement[] trace = error.getStackTrace();
        if (trace.length > 0) {
            line.append(" at=").append(trace[0]);
        }
    }

    private static void appendEscaped(StringBuilder line, String coloured) {
        String text = Colours.without(coloured);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
    }
}
