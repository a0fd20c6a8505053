package dev.mawashi.wire;

/// A validating scanner over JSON bytes that builds nothing: it finds where values begin and end.
///
/// It takes what Ruby's `JSON.parse` takes by default, but no comments: RFC 8259, nesting of at
/// most 100, no NaN or Infinity, no byte order mark. Bytes above 0x7f inside strings pass as they
/// are, so that invalid UTF-8 survives byte for byte. A scanner belongs to one thread and can be
/// used again with `reset`.
public final class JsonScanner {
    /// Deepest nesting of arrays and objects, the top-level one included (JSON.parse's default).
    public static final int DEPTH_MAX = 100;

    private byte[] bytes;
    private int pos;
    private int depth;

    public JsonScanner(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Demands that bytes are one JSON value and nothing else.
    ///
    /// @return the byte that it begins with, by which an object or an array is known
    /// @throws MalformedPayload when they are not
    public static int requireOne(byte[] bytes) {
        JsonScanner scanner = new JsonScanner(bytes);
        int first = scanner.peek();
        scanner.skipValue();
        scanner.expectEnd();
        return first;
    }

    /// Starts over on other bytes.
    public void reset(byte[] newBytes) {
        bytes = newBytes;
        pos = 0;
        depth = 0;
    }

    public int position() {
        return pos;
    }

    /// Goes on from an offset found earlier.
    public void seek(int offset) {
        pos = offset;
    }

    /// Skips white space and returns the next byte without taking it, or -1 at the end.
    public int peek() {
        while (pos < bytes.length) {
            byte b = bytes[pos];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b & 0xff;
            }
            pos++;
        }
        return -1;
    }

    /// Skips white space and takes the byte if it is the next one.
    public boolean take(char expected) {
        if (peek() == expected) {
            pos++;
            return true;
        }
        return false;
    }

    /// Skips white space and takes the byte, which must be there.
    public void expect(char expected) {
        if (!take(expected)) {
            throw unexpected("'" + expected + "'");
        }
    }

    /// Demands that nothing but white space is left.
    public void expectEnd() {
        if (peek() != -1) {
            throw unexpected("the end");
        }
    }

    /// Enters an array or object whose opening bracket is next.
    public void open(char bracket) {
        expect(bracket);
        depth++;
        if (depth > DEPTH_MAX) {
            throw new MalformedPayload("nesting is deeper than " + DEPTH_MAX + " at byte " + pos);
        }
    }

    /// Leaves the innermost array or object if its closing bracket is next.
    public boolean close(char bracket) {
        if (take(bracket)) {
            depth--;
            return true;
        }
        return false;
    }

    /// Takes the comma or the closing bracket after an element.
    ///
    /// @return true when another element follows
    public boolean more(char bracket) {
        if (take(',')) {
            return true;
        }
        if (close(bracket)) {
            return false;
        }
        throw unexpected("',' or '" + bracket + "'");
    }

    /// Skips one whole value of any kind.
    public void skipValue() {
        int next = peek();
        switch (next) {
            case '"' -> skipString();
            case '{' -> skipObject();
            case '[' -> skipArray();
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    /// Skips a string that begins here, quotes included.
    ///
    /// @return true when it holds an escape, so that its bytes are not its text
    public boolean skipString() {
        expect('"');
        boolean escaped = false;
        byte[] b = bytes;
        int at = pos;
        while (at < b.length) {
            byte c = b[at];
            if (c == '"') {
                pos = at + 1;
                return escaped;
            }
            if (c == '\\') {
                escaped = true;
                pos = at;
                skipEscape();
                at = pos;
            } else if (c >= 0 && c < ' ') {
                pos = at;
                throw new MalformedPayload("control character in a string at byte " + at);
            } else {
                at++;
            }
        }
        pos = at;
        throw unexpected("'\"'");
    }

    private void skipEscape() {
        pos++;
        int kind = pos < bytes.length ? bytes[pos] : -1;
        switch (kind) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> pos++;
            case 'u' -> {
                for (int i = 1; i <= 4; i++) {
                    if (pos + i >= bytes.length || Character.digit(bytes[pos + i], 16) < 0) {
                        throw new MalformedPayload("incomplete \\u escape at byte " + pos);
                    }
                }
                pos += 5;
            }
            default -> throw new MalformedPayload("unknown escape in a string at byte " + pos);
        }
    }

    private void skipObject() {
        open('{');
        if (close('}')) {
            return;
        }
        do {
            peek();
            skipString();
            expect(':');
            skipValue();
        } while (more('}'));
    }

    private void skipArray() {
        open('[');
        if (close(']')) {
            return;
        }
        do {
            skipValue();
        } while (more(']'));
    }

    /// Takes the word, which must begin here.
    public void skipWord(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (pos + i >= bytes.length || bytes[pos + i] != word.charAt(i)) {
                throw unexpected("a value");
            }
        }
        pos += word.length();
    }

    /// Skips a number that begins here.
    ///
    /// @return true when it is an integer: no fraction and no exponent
    public boolean skipNumber() {
        take('-');
        int first = at(pos);
        if (first < '0' || first > '9') {
            throw unexpected("a value");
        }
        pos++;
        if (first != '0') {
            digits();
        }
        boolean integer = true;
        if (at(pos) == '.') {
            integer = false;
            pos++;
            atLeastOneDigit();
        }
        if (at(pos) == 'e' || at(pos) == 'E') {
            integer = false;
            pos++;
            if (at(pos) == '+' || at(pos) == '-') {
                pos++;
            }
            atLeastOneDigit();
        }
        return integer;
    }

    private void atLeastOneDigit() {
        int before = pos;
        digits();
        if (pos == before) {
            throw unexpected("a digit");
        }
    }

    private void digits() {
        byte[] b = bytes;
        int at = pos;
        while (at < b.length && b[at] >= '0' && b[at] <= '9') {
            at++;
        }
        pos = at;
    }

    private int at(int offset) {
        return offset < bytes.length ? bytes[offset] & 0xff : -1;
    }

    private MalformedPayload unexpected(String wanted) {
        int found = at(pos);
        String what =
                found == -1
                        ? "the end"
                        : found > ' ' && found < 127
                                ? "'" + (char) found + "'"
                                : "byte 0x%02x".formatted(found);
        return new MalformedPayload(
                "expected " + wanted + " but found " + what + " at byte " + pos);
    }
}
