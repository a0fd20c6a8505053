package dev.mawashi.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Lua script that Redis runs as one step. It is sent by its digest; a server that has forgotten
/// it (restart, failover, `SCRIPT FLUSH`) gets its text again.
public final class Script {
    private static final byte[] EVALSHA = RedisConnection.ascii("EVALSHA");
    private static final byte[] EVAL = RedisConnection.ascii("EVAL");
    private static final byte[] SCRIPT = RedisConnection.ascii("SCRIPT");
    private static final byte[] LOAD = RedisConnection.ascii("LOAD");
    private static final Map<String, String> OTHER_SIDE =
            Map.of(
                    "LPOP", "RPOP", "RPOP", "LPOP", "LPUSH", "RPUSH", "RPUSH", "LPUSH", "LEFT",
                    "RIGHT", "RIGHT", "LEFT");

    private static final Pattern SIDE =
            Pattern.compile("'(" + String.join("|", OTHER_SIDE.keySet()) + ")'");

    private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include (\\S+)$");

    /// A key that no Redis has. While a slot moves to another node of a Cluster, the node refuses a
    /// script that names a missing key, and does a part of one that names none: see
    /// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#multi-key-operations
    static final byte[] MISSING = RedisConnection.ascii("mw:missing");

    /// Hides that key from the script. It adds no line, so that Redis's errors name the right one.
    private static final String HIDING = "table.remove(KEYS) ";

    /// The line with the script's flags, where it has one.
    private static final Pattern FLAGS = Pattern.compile("\\A(#!.*\n)?");

    private final String name;
    private final byte[] source;
    private final byte[] digest;
    private final boolean isWhole;
    private volatile @Nullable Script whole;

    private Script(String name, byte[] source) {
        this(name, source, false);
    }

    private Script(String name, byte[] source, boolean isWhole) {
        this.name = name;
        this.source = source;
        this.digest = sha1Hex(source);
        this.isWhole = isWhole;
    }

    /// Reads a script from the resources beside a class. A line `-- include other.lua` in it stands
    /// for what that file has, since Redis runs a script by itself.
    ///
    /// @param name file name, such as `claim.lua`
    public static Script beside(Class<?> owner, String name) {
        String text =
                INCLUDE.matcher(text(owner, name))
                        .replaceAll(line -> Matcher.quoteReplacement(text(owner, line.group(1))));
        return new Script(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + name + " beside " + owner);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The same script with left and right of lists exchanged: what it does at the tail of a list
    /// the other does at the head.
    public Script mirrored() {
        String text = new String(source, StandardCharsets.UTF_8);
        String other =
                SIDE.matcher(text).replaceAll(side -> "'" + OTHER_SIDE.get(side.group(1)) + "'");
        return new Script(name, other.getBytes(StandardCharsets.UTF_8));
    }

    /// The same script, for a Cluster: it runs as a whole or not at all, also while its slot moves.
    Script whole() {
        Script made = whole;
        if (made == null) {
            String text = new String(source, StandardCharsets.UTF_8);
            String longer = FLAGS.matcher(text).replaceFirst("$0" + HIDING);
            made = new Script(name, longer.getBytes(StandardCharsets.UTF_8), true);
            whole = made;
        }
        return made;
    }

    /// Whether its last key is the missing one.
    boolean isWhole() {
        return isWhole;
    }

    /// Its text.
    public byte[] source() {
        return source;
    }

    /// The command that runs it where Redis knows it.
    byte[][] evalsha(List<byte[]> keys, List<byte[]> args) {
        int count = keys.size() + (isWhole ? 1 : 0);
        byte[][] command = new byte[3 + count + args.size()][];
        command[0] = EVALSHA;
        command[1] = digest;
        command[2] = RedisConnection.ascii(Integer.toString(count));
        int at = 3;
        for (byte[] key : keys) {
            command[at++] = key;
        }
        if (isWhole) {
            command[at++] = MISSING;
        }
        for (byte[] arg : args) {
            command[at++] = arg;
        }
        return command;
    }

    /// The same call with the text in place of the digest.
    byte[][] eval(byte[][] evalsha) {
        byte[][] command = evalsha.clone();
        command[0] = EVAL;
        command[1] = source;
        return command;
    }

    /// The command that makes Redis know it.
    byte[][] load() {
        return new byte[][] {SCRIPT, LOAD, source};
    }

    @Override
    public String toString() {
        return name;
    }

    private static byte[] sha1Hex(byte[] source) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(source);
            return HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
