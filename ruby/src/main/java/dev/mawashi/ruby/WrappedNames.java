package dev.mawashi.ruby;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jruby.util.ByteList;

/// The names that payloads have given in `wrapped`, each made once. One slot's.
final class WrappedNames {
    /// Most names that are kept, since payloads can hold any; further ones are made anew each time.
    private static final int NAMES_MAX = 2_000;

    private final Map<ByteList, String> known = new HashMap<>();

    /// @param bytes may be a view of a payload; it is not kept
    String name(ByteList bytes) {
        String name = known.get(bytes);
        if (name == null) {
            name = text(bytes);
            if (known.size() < NAMES_MAX) {
                known.put(bytes.dup(), name);
            }
        }
        return name;
    }

    /// A name as text.
    static String text(ByteList bytes) {
        return new String(
                bytes.unsafeBytes(), bytes.begin(), bytes.realSize(), StandardCharsets.UTF_8);
    }
}
