package dev.mawashi.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The prefix of all keys of an app: a name and a colon, as the gem redis-namespace puts them
/// before keys; in a Cluster with the name in braces. It goes before the keys of each command that
/// a connection sends, and is taken from the keys in replies, so that nobody else knows of it.
final class Namespace {
    private static final int LENGTH_MAX = 100;

    /// Braces choose the slot of a key, others are a pattern's; the last stands for what the locale
    /// does not know.
    private static final Pattern ODD = Pattern.compile("[\\s\\p{Cntrl}{}*?\\[\\]\\\\^\ufffd]");

    /// Empty for none.
    private final byte[] prefix;

    /// @param prefix with its colon; "" for none
    Namespace(String prefix) {
        this.prefix = RedisConnection.utf8(prefix);
    }

    /// @throws IllegalArgumentException with a message for the operator
    static void check(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "a namespace has 1 to "
                            + LENGTH_MAX
                            + " characters, and no white space and none of {}*?[]\\^: give the"
                            + " one of the app's config.redis, without the colon");
        }
    }

    static boolean isName(String name) {
        return !name.isEmpty() && name.length() <= LENGTH_MAX && !ODD.matcher(name).find();
    }

    /// The same command with the prefix before its keys.
    byte[][] in(byte[]... command) {
        if (prefix.length == 0) {
            return command;
        }
        KeyPlaces places =
                KeyPlaces.of(command)
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "the keys of "
                                                + KeyPlaces.verb(command)
                                                + " are not known"));
        byte[][] changed = command.clone();
        for (int i = places.first(); i < places.end(); i++) {
            changed[i] = in(changed[i]);
        }
        if (KeyPlaces.verb(command).equals("SCAN")) {
            return ofScan(changed);
        }
        return changed;
    }

    /// Of other keys than these the reply would tell too.
    private byte[][] ofScan(byte[]... scan) {
        for (int i = 2; i < scan.length - 1; i++) {
            if (new String(scan[i], StandardCharsets.US_ASCII).equals("MATCH")) {
                scan[i + 1] = in(scan[i + 1]);
                return scan;
            }
        }
        throw new IllegalStateException("SCAN goes with MATCH");
    }

    private byte[] in(byte[] key) {
        byte[] longer = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, longer, prefix.length, key.length);
        return longer;
    }

    /// A reply whose keys have no prefix.
    @Nullable Object out(byte[][] command, @Nullable Object reply) {
        if (prefix.length == 0 || !(reply instanceof List<?> parts) || parts.isEmpty()) {
            return reply;
        }
        return switch (KeyPlaces.verb(command)) {
            case "BLPOP" -> with(parts, 0, out(parts.getFirst()));
            case "SCAN" -> with(parts, 1, out(parts.get(1)));
            default -> reply;
        };
    }

    private static List<@Nullable Object> with(List<?> parts, int at, @Nullable Object part) {
        List<@Nullable Object> changed = new ArrayList<>(parts);
        changed.set(at, part);
        return changed;
    }

    /// A key without the prefix, or several.
    @Nullable Object out(@Nullable Object keys) {
        return switch (keys) {
            case byte[] key when startsWithPrefix(key) ->
                    Arrays.copyOfRange(key, prefix.length, key.length);
            case List<?> several -> several.stream().map(this::out).toList();
            case null, default -> keys;
        };
    }

    private boolean startsWithPrefix(byte[] key) {
        return key.length >= prefix.length
                && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length);
    }
}
