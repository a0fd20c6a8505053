package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.event.Event;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// An event as one line of JSON, with the names that Sidekiq's own JSON formatter gives, so that
/// one rule reads the lines of both: `ts`, `pid`, `tid`, `lvl`, `msg` and, with what is known of a
/// job, `ctx`. What Sidekiq has no name for follows: `event`, `child`, `error`, `thread`, `logger`.
///
/// Whatever a message holds, the line is valid JSON in UTF-8. A line of a child that is a JSON
/// object already stays as it is.
final class JsonFormatter extends Formatter {
    private static final int LINE_CHARACTERS = 256;

    private final long pid;
    private final boolean isVerbose;

    JsonFormatter(long pid, boolean isVerbose) {
        this.pid = pid;
        this.isVerbose = isVerbose;
    }

    @Override
    public String format(LogRecord event) {
        @Nullable ChildLine child = about(event, ChildLine.class);
        if (child != null && isObject(child.text())) {
            return child.text() + "\n";
        }
        StringBuilder line = new StringBuilder(LINE_CHARACTERS);
        line.append("{\"ts\":\"");
        LineFormatter.TIME.formatTo(event.getInstant(), line);
        line.append("\",\"pid\":").append(pid);
        append(line, "tid", Long.toString(event.getLongThreadID(), Character.MAX_RADIX));
        append(line, "lvl", word(event.getLevel()));
        append(line, "msg", Colours.without(child == null ? formatMessage(event) : child.text()));
        @Nullable Event about = about(event, Event.class);
        if (about != null) {
            appendEvent(line, about);
        }
        if (child != null) {
            appendChild(line, child);
        }
        @Nullable Throwable error = event.getThrown();
        if (error != null) {
            appendError(line, error);
        }
        if (Thread.currentThread().threadId() == event.getLongThreadID()) {
            append(line, "thread", Thread.currentThread().getName());
        }
        @Nullable String logger = event.getLoggerName();
        append(line, "logger", logger == null ? "" : logger);
        return line.append("}\n").toString();
    }

    /// What an event is about, if it came along with its message.
    private static <T> @Nullable T about(LogRecord event, Class<T> type) {
        Object[] all = event.getParameters();
        Object last = all == null || all.length == 0 ? null : all[all.length - 1];
        return type.isInstance(last) ? type.cast(last) : null;
    }

    private static boolean isObject(String text) {
        if (!text.startsWith("{")) {
            return false;
        }
        try {
            return JsonScanner.requireOne(text.getBytes(UTF_8)) == '{';
        } catch (MalformedPayload _) {
            return false;
        }
    }

    private static String word(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return "WARN";
        }
        return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
    }

    private static void appendEvent(StringBuilder line, Event event) {
        if (event instanceof Event.OfJob of) {
            Event.JobName job = of.job();
            appendContext(line, job.jobClass(), job.jid(), job.queue());
        } else if (event instanceof Event.OfQueue of) {
            appendContext(line, "", "", of.queue());
        }
        append(line, "event", event.getClass().getSimpleName());
    }

    private static void appendChild(StringBuilder line, ChildLine child) {
        appendContext(line, "", child.jid() == null ? "" : child.jid(), "");
        if (child.pid() > 0) {
            line.append(",\"child\":").append(child.pid());
        }
    }

    private static void appendContext(
            StringBuilder line, String jobClass, String jid, String queue) {
        StringBuilder fields = new StringBuilder();
        append(fields, "class", jobClass);
        append(fields, "jid", jid);
        append(fields, "queue", queue);
        appendObject(line, "ctx", fields);
    }

    private void appendError(StringBuilder line, Throwable error) {
        StringBuilder fields = new StringBuilder();
        append(fields, "class", error.getClass().getName());
        String message = error.getMessage();
        append(fields, "message", message == null ? "" : message);
        StackTraceElement[] trace = error.getStackTrace();
        append(fields, "at", trace.length > 0 ? trace[0].toString() : "");
        if (isVerbose) {
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            append(fields, "trace", text.toString());
        }
        appendObject(line, "error", fields);
    }

    /// @param fields each with a comma before it
    private static void appendObject(StringBuilder line, String name, StringBuilder fields) {
        if (!fields.isEmpty()) {
            line.append(",\"").append(name).append("\":{").append(fields, 1, fields.length());
            line.append('}');
        }
    }

    /// Appends a field, if it has a value.
    private static void append(StringBuilder line, String name, String value) {
        if (!value.isEmpty()) {
            line.append(",\"").append(name).append("\":").append(Json.quote(value));
        }
    }
}
