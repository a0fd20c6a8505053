package dev.mawashi.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mawashi.event.Event;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.BooleanSupplier;
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
    private final long pid;
    private final BooleanSupplier isVerbose;

    JsonFormatter(long pid, BooleanSupplier isVerbose) {
        this.pid = pid;
        this.isVerbose = isVerbose;
    }

    @Override
    public String format(LogRecord event) {
        @Nullable ChildLine child = about(event, ChildLine.class);
        if (child != null && isObject(child.text())) {
            return child.text() + "\n";
        }
        JsonFields line = new JsonFields();
        line.text("ts", LineFormatter.TIME.format(event.getInstant())).number("pid", pid);
        add(line, "tid", Long.toString(event.getLongThreadID(), Character.MAX_RADIX));
        add(line, "lvl", word(event.getLevel()));
        add(line, "msg", Colours.without(child == null ? formatMessage(event) : child.text()));
        @Nullable Event about = about(event, Event.class);
        if (about != null) {
            addEvent(line, about);
        }
        if (child != null) {
            addChild(line, child);
        }
        @Nullable Throwable error = event.getThrown();
        if (error != null) {
            addError(line, error);
        }
        if (Thread.currentThread().threadId() == event.getLongThreadID()) {
            add(line, "thread", Thread.currentThread().getName());
        }
        @Nullable String logger = event.getLoggerName();
        add(line, "logger", logger == null ? "" : logger);
        return line + "\n";
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

    private static void addEvent(JsonFields line, Event event) {
        if (event instanceof Event.OfJob of) {
            Event.JobName job = of.job();
            addContext(line, job.jobClass(), job.jid(), job.queue());
        } else if (event instanceof Event.OfQueue of) {
            addContext(line, "", "", of.queue());
        }
        add(line, "event", event.getClass().getSimpleName());
    }

    private static void addChild(JsonFields line, ChildLine child) {
        addContext(line, "", child.jid() == null ? "" : child.jid(), "");
        if (child.pid() > 0) {
            line.number("child", child.pid());
        }
    }

    private static void addContext(JsonFields line, String jobClass, String jid, String queue) {
        JsonFields fields = new JsonFields();
        add(fields, "class", jobClass);
        add(fields, "jid", jid);
        add(fields, "queue", queue);
        if (!fields.isEmpty()) {
            line.object("ctx", fields);
        }
    }

    private void addError(JsonFields line, Throwable error) {
        JsonFields fields = new JsonFields();
        fields.text("class", error.getClass().getName());
        String message = error.getMessage();
        add(fields, "message", message == null ? "" : message);
        StackTraceElement[] trace = error.getStackTrace();
        add(fields, "at", trace.length > 0 ? trace[0].toString() : "");
        if (isVerbose.getAsBoolean()) {
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            fields.text("trace", text.toString());
        }
        line.object("error", fields);
    }

    /// Adds a field, if it has a value.
    private static void add(JsonFields line, String name, String value) {
        if (!value.isEmpty()) {
            line.text(name, value);
        }
    }
}
