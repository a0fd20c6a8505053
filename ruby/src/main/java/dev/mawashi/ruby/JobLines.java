package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.callsite.MonomorphicCallSite;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// Writes a slot's lines about its jobs where they are those of Sidekiq's own job logger; how they
/// look is known by the Ruby of the same name.
final class JobLines {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final String PLAIN_MARKS = "_:-.";
    private static final int LINE_BYTES = 256;
    private static final long NANOS_A_MILLI = 1_000_000;
    private static final int MILLIS_A_SECOND = 1_000;

    private final JobPayload payload;
    private final InstantSource clock = InstantSource.system();
    private final MonomorphicCallSite linesSite = new MonomorphicCallSite("lines");
    private final MonomorphicCallSite plainEndSite = new MonomorphicCallSite("plain_end?");
    private final MonomorphicCallSite writeSite = new MonomorphicCallSite("write");

    /// What Ruby knows of the lines; null until it was asked.
    private @Nullable IRubyObject lines;

    private boolean isJson;
    private List<Object> start = List.of();
    private List<Object> done = List.of();
    private List<Object> fail = List.of();

    private long millis;
    private byte[] time = {};
    private long begunNanos;
    private ByteList type = ByteList.EMPTY_BYTELIST;
    private ByteList jid = ByteList.EMPTY_BYTELIST;

    /// A field of a line, beside its texts.
    private enum Field {
        TIME,
        CLASS,
        JID,
        ELAPSED
    }

    /// @param payload of the job that runs
    JobLines(JobPayload payload) {
        this.payload = payload;
    }

    /// Logs that the job begins.
    ///
    /// @param jobLog the slot's `Mawashi::JobLog`
    /// @return false when that is not to be done here
    boolean start(ThreadContext context, IRubyObject jobLog) {
        IRubyObject known = linesSite.call(context, jobLog, jobLog);
        if (known.isNil() || payload.asksForLogLevel()) {
            return false;
        }
        if (!known.equals(lines)) {
            learn(context, known);
        }
        ByteList name = payload.wrapped() == null ? payload.className() : payload.wrapped();
        if (name == null
                || !(payload.jid() instanceof RubyString id)
                || payload.hasLoggedField()
                || (isJson && !(isPlain(name) && isPlain(id.getByteList())))) {
            return false;
        }
        // The payload is read again where somebody looks at the job's log context.
        type = name;
        jid = id.getByteList().dup();
        begunNanos = System.nanoTime();
        write(context, start, 0);
        return true;
    }

    /// Whether the line of the job's end is to be written here too: the job may have added to its
    /// log context, or changed the logger.
    boolean isPlainEnd(ThreadContext context, IRubyObject jobLog) {
        return plainEndSite.call(context, jobLog, jobLog).isTrue();
    }

    /// Seconds since the job began, in thousandths.
    double seconds() {
        return (double) elapsedMillis() / MILLIS_A_SECOND;
    }

    /// Logs that the job has ended.
    void end(ThreadContext context, boolean isDone) {
        write(context, isDone ? done : fail, elapsedMillis());
    }

    private long elapsedMillis() {
        return (System.nanoTime() - begunNanos + NANOS_A_MILLI / 2) / NANOS_A_MILLI;
    }

    private void learn(ThreadContext context, IRubyObject known) {
        List<List<Object>> forms = new ArrayList<>();
        RubyArray<?> learnt = known.callMethod(context, "forms").convertToArray();
        for (int i = 0; i < learnt.size(); i++) {
            RubyArray<?> parts = learnt.eltOk(i).callMethod(context, "parts").convertToArray();
            List<Object> form = new ArrayList<>();
            for (int j = 0; j < parts.size(); j++) {
                form.add(part(parts.eltOk(j)));
            }
            forms.add(form);
        }
        start = forms.get(0);
        done = forms.get(1);
        fail = forms.get(2);
        isJson = known.callMethod(context, "json?").isTrue();
        List<byte[]> fields = new ArrayList<>();
        for (Object name : known.callMethod(context, "fields").convertToArray()) {
            fields.add(name.toString().getBytes(UTF_8));
        }
        payload.lookForLogged(fields);
        lines = known;
    }

    private static Object part(IRubyObject part) {
        return part instanceof RubySymbol field
                ? Field.valueOf(field.idString().toUpperCase(Locale.ROOT))
                : part.convertToString().getBytes();
    }

    /// Whether JSON has it as it is.
    private static boolean isPlain(ByteList text) {
        for (int i = 0; i < text.realSize(); i++) {
            int c = text.get(i) & 0xff;
            boolean isWord =
                    c < 0x80 && (Character.isLetterOrDigit(c) || PLAIN_MARKS.indexOf(c) >= 0);
            if (!isWord) {
                return false;
            }
        }
        return true;
    }

    private void write(ThreadContext context, List<Object> form, long elapsed) {
        ByteList line = new ByteList(LINE_BYTES);
        line.setEncoding(UTF8Encoding.INSTANCE);
        for (int i = 0; i < form.size(); i++) {
            switch (form.get(i)) {
                case byte[] text -> line.append(text);
                case Field field ->
                        line.append(
                                switch (field) {
                                    case TIME -> new ByteList(time(), false);
                                    case CLASS -> type;
                                    case JID -> jid;
                                    case ELAPSED -> new ByteList(seconds(elapsed), false);
                                });
                default -> throw new IllegalStateException("no part of a line");
            }
        }
        IRubyObject writer = lines;
        if (writer != null) {
            writeSite.call(context, writer, writer, RubyString.newString(context.runtime, line));
        }
    }

    private byte[] time() {
        long now = clock.millis();
        if (now != millis) {
            millis = now;
            time = TIME.format(Instant.ofEpochMilli(now)).getBytes(UTF_8);
        }
        return time;
    }

    /// As Ruby writes a float that has three places at most.
    private static byte[] seconds(long millis) {
        return Double.toString((double) millis / MILLIS_A_SECOND).getBytes(UTF_8);
    }
}
