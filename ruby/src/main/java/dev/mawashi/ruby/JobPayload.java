package dev.mawashi.ruby;

import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// The parts of a payload for a run: its class name, its jid and its arguments, read in one pass
/// that checks the whole text. One per slot, used again for each job.
final class JobPayload {
    /// With more top-level keys than this, duplicates are looked for in a set.
    private static final int KEYS_COMPARED_MAX = 16;

    private static final byte[] CLASS = {'c', 'l', 'a', 's', 's'};
    private static final byte[] ARGS = {'a', 'r', 'g', 's'};
    private static final byte[] WRAPPED = {'w', 'r', 'a', 'p', 'p', 'e', 'd'};
    private static final byte[] JID = {'j', 'i', 'd'};
    private static final byte[] LOG_LEVEL = {'l', 'o', 'g', '_', 'l', 'e', 'v', 'e', 'l'};

    private static final IRubyObject[] NO_ARGS = {};
    private static final byte[] NO_BYTES = {};

    private final RubyJson json;
    private final byte[][] heldFields;
    private final JsonScanner scanner = new JsonScanner(NO_BYTES);
    private final int[] keyStarts = new int[KEYS_COMPARED_MAX];
    private final int[] keyEnds = new int[KEYS_COMPARED_MAX];
    private int keyCount;
    private @Nullable Set<String> manyKeys;

    private byte[] bytes = NO_BYTES;
    private @Nullable ByteList className;
    private @Nullable ByteList wrapped;
    private @Nullable IRubyObject jid;
    private IRubyObject[] args = NO_ARGS;
    private boolean asksForLogLevel;
    private boolean hasHeldField;

    /// Names of fields that are logged where they are there.
    private List<byte[]> loggedFields = List.of();

    private boolean hasLoggedField;

    /// What the job logger, the middleware and the error handlers of a run share.
    private @Nullable IRubyObject shared;

    /// @param heldFields names of fields that a run must know of
    JobPayload(RubyJson json, List<String> heldFields) {
        this.json = json;
        this.heldFields =
                heldFields.stream()
                        .map(field -> field.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new);
    }

    /// The class name's text; null when the payload has none that is a string, or an empty one. It
    /// may be a view of the payload's bytes: copy it before keeping it.
    @Nullable ByteList className() {
        return className;
    }

    /// The name of the class that the job's class stands for, as in ActiveJob; null when there is
    /// none. It may be a view of the payload's bytes, too.
    @Nullable ByteList wrapped() {
        return wrapped;
    }

    /// The arguments; what is no array is splatted, as by Sidekiq.
    IRubyObject[] args() {
        return args;
    }

    /// The `jid` as Ruby sees it, whatever its type; null when there is none.
    @Nullable IRubyObject jid() {
        return jid;
    }

    /// Whether the job wants to be logged at a level of its own.
    boolean asksForLogLevel() {
        return asksForLogLevel;
    }

    /// Whether a field is there that keeps the job from being begun, and is neither null nor false.
    boolean hasHeldField() {
        return hasHeldField;
    }

    /// Looks for these fields too, from the payload that is held on.
    void lookForLogged(List<byte[]> names) {
        loggedFields = List.copyOf(names);
        String all = new String(bytes, StandardCharsets.UTF_8);
        hasLoggedField =
                names.stream()
                        .map(name -> '"' + new String(name, StandardCharsets.UTF_8) + '"')
                        .anyMatch(all::contains);
    }

    /// Whether one of them is there.
    boolean hasLoggedField() {
        return hasLoggedField;
    }

    /// Whether there is a payload: from `read` to `forget`.
    boolean isHeld() {
        return bytes.length > 0;
    }

    /// Builds the whole payload as the Hash that Sidekiq's middleware expects.
    IRubyObject hash(ThreadContext context) {
        scanner.reset(bytes);
        return json.value(context, scanner, bytes);
    }

    /// The hash that all share who may change it: what one puts into it the next one finds.
    IRubyObject shared(ThreadContext context) {
        if (shared == null) {
            shared = hash(context);
        }
        return shared;
    }

    /// The shared hash where there is one, else another.
    IRubyObject sharedOr(IRubyObject other) {
        return shared == null ? other : shared;
    }

    /// Reads a payload, forgetting the one before.
    ///
    /// @throws MalformedPayload when it is not one JSON object with every top-level key once
    void read(ThreadContext context, byte[] payload) {
        forget();
        bytes = payload;
        scanner.reset(payload);
        scanner.open('{');
        if (!scanner.close('}')) {
            do {
                field(context);
            } while (scanner.more('}'));
        }
        scanner.expectEnd();
    }

    /// Lets go of the payload, which may be large, and of what was built from it.
    void forget() {
        bytes = NO_BYTES;
        scanner.reset(NO_BYTES);
        json.forget();
        keyCount = 0;
        manyKeys = null;
        shared = null;
        className = null;
        wrapped = null;
        jid = null;
        args = NO_ARGS;
        asksForLogLevel = false;
        hasHeldField = false;
        hasLoggedField = false;
    }

    private void field(ThreadContext context) {
        scanner.peek();
        int start = scanner.position() + 1;
        boolean escaped = scanner.skipString();
        int end = scanner.position() - 1;
        byte[] key = bytes;
        if (escaped) {
            ByteList text = JsonText.unescape(bytes, start, end);
            key = text.bytes();
            start = 0;
            end = key.length;
        }
        rejectDuplicate(key, start, end, escaped);
        scanner.expect(':');
        int kind = scanner.peek();
        if (is(CLASS, key, start, end)) {
            className = kind == '"' ? string() : skip();
        } else if (is(ARGS, key, start, end)) {
            args = args(context, kind);
        } else if (is(JID, key, start, end)) {
            jid = json.value(context, scanner, bytes);
        } else if (is(WRAPPED, key, start, end)) {
            wrapped = kind == '"' ? string() : skip();
        } else if (is(LOG_LEVEL, key, start, end)) {
            asksForLogLevel = kind != 'n';
            scanner.skipValue();
        } else {
            hasHeldField |= kind != 'n' && kind != 'f' && isHeldField(key, start, end);
            hasLoggedField |= isLoggedField(key, start, end);
            scanner.skipValue();
        }
    }

    private boolean isHeldField(byte[] key, int start, int end) {
        for (byte[] field : heldFields) {
            if (is(field, key, start, end)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLoggedField(byte[] key, int start, int end) {
        for (int i = 0; i < loggedFields.size(); i++) {
            if (is(loggedFields.get(i), key, start, end)) {
                return true;
            }
        }
        return false;
    }

    private void rejectDuplicate(byte[] key, int start, int end, boolean escaped) {
        if (manyKeys == null && (escaped || keyCount == KEYS_COMPARED_MAX)) {
            // An escaped key is not in the payload's bytes, so it cannot be compared in place.
            manyKeys = new HashSet<>();
            for (int i = 0; i < keyCount; i++) {
                manyKeys.add(text(bytes, keyStarts[i], keyEnds[i]));
            }
        }
        boolean isNew =
                manyKeys == null ? addCompared(start, end) : manyKeys.add(text(key, start, end));
        if (!isNew) {
            String name = new String(key, start, Math.min(end - start, 40), StandardCharsets.UTF_8);
            throw new MalformedPayload("the key \"" + name + "\" is there twice");
        }
    }

    private boolean addCompared(int start, int end) {
        for (int i = 0; i < keyCount; i++) {
            if (Arrays.equals(bytes, keyStarts[i], keyEnds[i], bytes, start, end)) {
                return false;
            }
        }
        keyStarts[keyCount] = start;
        keyEnds[keyCount] = end;
        keyCount++;
        return true;
    }

    private static String text(byte[] source, int start, int end) {
        return new String(source, start, end - start, StandardCharsets.ISO_8859_1);
    }

    private static boolean is(byte[] name, byte[] key, int start, int end) {
        return end - start == name.length && Arrays.equals(name, 0, name.length, key, start, end);
    }

    private @Nullable ByteList string() {
        int start = scanner.position() + 1;
        boolean escaped = scanner.skipString();
        int end = scanner.position() - 1;
        if (start == end) {
            return null;
        }
        return escaped
                ? JsonText.unescape(bytes, start, end)
                : new ByteList(bytes, start, end - start, UTF8Encoding.INSTANCE, false);
    }

    private @Nullable ByteList skip() {
        scanner.skipValue();
        return null;
    }

    private IRubyObject[] args(ThreadContext context, int kind) {
        return kind == '['
                ? json.elements(context, scanner, bytes)
                : splat(context, json.value(context, scanner, bytes));
    }

    /// What `*value` passes: the elements of an array, the pairs of a hash, nothing for nil.
    static IRubyObject[] splat(ThreadContext context, IRubyObject value) {
        if (value.respondsTo("to_a")) {
            return value.callMethod(context, "to_a").convertToArray().toJavaArray(context);
        }
        return new IRubyObject[] {value};
    }
}
