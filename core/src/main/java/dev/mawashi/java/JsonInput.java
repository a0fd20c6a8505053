package dev.mawashi.java;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonScanner;
import java.nio.charset.StandardCharsets;

/// JSON that has been scanned before, taken apart value by value.
final class JsonInput {
    /// More of a value than this is not shown in a message.
    private static final int SHOWN_CHARS_MAX = 100;

    private final byte[] bytes;
    private final JsonScanner scanner;

    JsonInput(byte[] bytes, int offset) {
        this.bytes = bytes;
        scanner = new JsonScanner(bytes);
        scanner.seek(offset);
    }

    /// The first byte of the next value.
    char kind() {
        return (char) scanner.peek();
    }

    boolean isNumber() {
        char kind = kind();
        return kind == '-' || (kind >= '0' && kind <= '9');
    }

    /// Takes a `null` if it is next.
    boolean takeNull() {
        if (kind() != 'n') {
            return false;
        }
        scanner.skipWord("null");
        return true;
    }

    boolean takeBoolean() {
        boolean value = kind() == 't';
        scanner.skipWord(value ? "true" : "false");
        return value;
    }

    String takeString() {
        scanner.peek();
        int from = scanner.position();
        scanner.skipString();
        return Json.unquote(bytes, from, scanner.position());
    }

    /// Takes a number as it is spelled.
    String takeNumber() {
        scanner.peek();
        int from = scanner.position();
        scanner.skipNumber();
        return new String(bytes, from, scanner.position() - from, StandardCharsets.US_ASCII);
    }

    /// Enters an array or object.
    ///
    /// @param open its opening bracket
    /// @param close its closing one
    /// @return false when it was empty
    boolean enter(char open, char close) {
        scanner.open(open);
        return !scanner.close(close);
    }

    /// Whether another element follows the one that was taken; leaves the array or object if not.
    boolean more(char close) {
        return scanner.more(close);
    }

    /// Takes an object's key, and what stands between it and its value.
    String takeKey() {
        String key = takeString();
        scanner.expect(':');
        return key;
    }

    /// The elements of the array that is next, which is not taken.
    int size() {
        scanner.peek();
        int from = scanner.position();
        int size = 0;
        if (enter('[', ']')) {
            do {
                scanner.skipValue();
                size++;
            } while (more(']'));
        }
        scanner.seek(from);
        return size;
    }

    /// A complaint about the next value.
    ///
    /// @param wanted such as `must be an int`
    Mismatch mismatch(String wanted) {
        scanner.peek();
        int from = scanner.position();
        scanner.skipValue();
        String value = new String(bytes, from, scanner.position() - from, StandardCharsets.UTF_8);
        scanner.seek(from);
        return mismatch(value, wanted);
    }

    /// A complaint about a value that was taken.
    static Mismatch mismatch(String value, String wanted) {
        String shown =
                value.length() <= SHOWN_CHARS_MAX
                        ? value
                        : value.substring(0, SHOWN_CHARS_MAX) + "...";
        return new Mismatch("is " + shown + ", " + wanted);
    }
}
