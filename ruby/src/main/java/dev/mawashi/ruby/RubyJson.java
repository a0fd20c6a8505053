package dev.mawashi.ruby;

import dev.mawashi.wire.JsonScanner;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyBignum;
import org.jruby.RubyFixnum;
import org.jruby.RubyFloat;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/// A builder that turns JSON bytes straight into the Ruby objects that `JSON.parse` would give.
///
/// It follows a `JsonScanner`, which does the checking, and belongs to the slot that owns it.
final class RubyJson {
    /// Longest run of digits that is sure to fit a `long`.
    private static final int LONG_DIGITS_MAX = 18;

    private static final int KEY_BYTES_MAX = 32;
    private static final int KEYS_KEPT = 256;
    private static final IRubyObject[] NO_VALUES = {};
    private static final byte[] NO_BYTES = {};

    private final Ruby runtime;

    /// Frozen hash keys of earlier payloads, by the low bits of their hash; a collision replaces.
    private final @Nullable RubyString[] keys = new @Nullable RubyString[KEYS_KEPT];

    private byte[] bytes = NO_BYTES;

    RubyJson(Ruby runtime) {
        this.runtime = runtime;
    }

    /// Builds the value that begins where the scanner stands and leaves the scanner behind it.
    ///
    /// @param source the bytes that the scanner reads
    IRubyObject value(ThreadContext context, JsonScanner scanner, byte[] source) {
        bytes = source;
        return value(context, scanner);
    }

    /// Builds the elements of the array that begins where the scanner stands.
    IRubyObject[] elements(ThreadContext context, JsonScanner scanner, byte[] source) {
        bytes = source;
        return elements(context, scanner);
    }

    /// Lets go of the bytes.
    void forget() {
        bytes = NO_BYTES;
    }

    private IRubyObject value(ThreadContext context, JsonScanner scanner) {
        return switch (scanner.peek()) {
            case '"' -> string(scanner);
            case '{' -> hash(context, scanner);
            case '[' -> Create.newArrayNoCopy(context, elements(context, scanner));
            case 't' -> word(scanner, "true", context.tru);
            case 'f' -> word(scanner, "false", context.fals);
            case 'n' -> word(scanner, "null", context.nil);
            default -> number(scanner);
        };
    }

    private static IRubyObject word(JsonScanner scanner, String word, IRubyObject value) {
        scanner.skipWord(word);
        return value;
    }

    private IRubyObject[] elements(ThreadContext context, JsonScanner scanner) {
        scanner.open('[');
        if (scanner.close(']')) {
            return NO_VALUES;
        }
        IRubyObject[] values = new IRubyObject[4];
        int count = 0;
        do {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value(context, scanner);
        } while (scanner.more(']'));
        return count == values.length ? values : Arrays.copyOf(values, count);
    }

    private RubyHash hash(ThreadContext context, JsonScanner scanner) {
        RubyHash hash = Create.newHash(context);
        scanner.open('{');
        if (scanner.close('}')) {
            return hash;
        }
        do {
            IRubyObject key = key(scanner);
            scanner.expect(':');
            hash.fastASet(key, value(context, scanner));
        } while (scanner.more('}'));
        return hash;
    }

    private RubyString key(JsonScanner scanner) {
        scanner.peek();
        int start = scanner.position() + 1;
        boolean escaped = scanner.skipString();
        int length = scanner.position() - 1 - start;
        if (escaped || length > KEY_BYTES_MAX) {
            RubyString key = escaped ? unescape(start, length) : copy(start, length);
            key.setFrozen(true);
            return key;
        }
        int hash = 0;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash ^ (hash >>> 16)) & (KEYS_KEPT - 1);
        RubyString kept = keys[slot];
        if (kept != null && isText(kept.getByteList(), start, length)) {
            return kept;
        }
        RubyString key = copy(start, length);
        key.setFrozen(true);
        keys[slot] = key;
        return key;
    }

    private boolean isText(ByteList text, int start, int length) {
        int begin = text.begin();
        return Arrays.equals(
                text.unsafeBytes(), begin, begin + text.realSize(), bytes, start, start + length);
    }

    private RubyString string(JsonScanner scanner) {
        int start = scanner.position() + 1;
        boolean escaped = scanner.skipString();
        int length = scanner.position() - 1 - start;
        return escaped ? unescape(start, length) : copy(start, length);
    }

    private RubyString copy(int start, int length) {
        return string(new ByteList(bytes, start, length, UTF8Encoding.INSTANCE, true));
    }

    private RubyString unescape(int start, int length) {
        return string(JsonText.unescape(bytes, start, start + length));
    }

    private RubyString string(ByteList text) {
        return RubyString.newString(runtime, text);
    }

    private IRubyObject number(JsonScanner scanner) {
        int start = scanner.position();
        boolean integer = scanner.skipNumber();
        int end = scanner.position();
        if (!integer) {
            return RubyFloat.newFloat(runtime, Double.parseDouble(text(start, end)));
        }
        boolean negative = bytes[start] == '-';
        int firstDigit = negative ? start + 1 : start;
        if (end - firstDigit > LONG_DIGITS_MAX) {
            return RubyBignum.bignorm(runtime, new BigInteger(text(start, end)));
        }
        long number = 0;
        for (int i = firstDigit; i < end; i++) {
            number = 10 * number + (bytes[i] - '0');
        }
        return RubyFixnum.newFixnum(runtime, negative ? -number : number);
    }

    private String text(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }
}
