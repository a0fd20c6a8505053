package dev.mawashi.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A command of those that we send. Where Redis refuses it, this names keys and remedy, as Redis
/// does not: see https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
///
/// @param script that it runs, if it runs one
record Sent(byte[][] command, @Nullable Script script) {
    static final String TYPE_REMEDY =
            ": see what it is with redis-cli TYPE, and rename or delete it";

    private static final String WRONG_TYPE = "WRONGTYPE";
    private static final String NO_RIGHT = "NOPERM";

    /// So Redis 7.0 begins where a script lacks a right.
    private static final String IN_SCRIPT = "ERR The user executing the script can't";

    private static final String CLUSTER =
            "it is a node of a Cluster: write redis+cluster:// in the Redis URL";

    /// By the error's code.
    private static final Map<String, String> REMEDIES =
            Map.of(
                    "CROSSSLOT",
                    CLUSTER,
                    "MOVED",
                    CLUSTER,
                    NO_RIGHT,
                    "give its user the ACL of the guide: redis.md, ACL",
                    "MISCONF",
                    "look at its log and its disk",
                    "OOM",
                    "raise its maxmemory, or delete what is not needed",
                    "READONLY",
                    "name the master in the Redis URL");

    private static final Set<String> SCRIPTS = Set.of("EVALSHA", "EVAL");
    private static final Set<String> STRINGS = Set.of("GET", "SET", "INCR", "INCRBY");

    private static final Pattern OBEYED = Pattern.compile("\\p{Cntrl}");
    private static final int KEYS_MAX = 10;
    private static final int KEY_MAX = 100;

    /// One sentence with the error's code.
    ///
    /// @param reply Redis's error line
    String explain(String reply) {
        if (reply.contains(WRONG_TYPE + " ")) {
            return wrongType() + " (" + WRONG_TYPE + ")";
        }
        String code = reply.startsWith(IN_SCRIPT) ? NO_RIGHT : reply.split(" ", 2)[0];
        String remedy = REMEDIES.get(code);
        if (remedy == null) {
            return reply;
        }
        List<String> keys = keys();
        String asked = keys.isEmpty() ? name() : name() + " of " + String.join(", ", keys);
        return reply.replaceFirst("[.]$", "") + " (" + asked + "): " + remedy;
    }

    private String verb() {
        return KeyPlaces.verb(command);
    }

    private String name() {
        return script == null ? verb() : "" + script;
    }

    private String wrongType() {
        List<String> keys = keys();
        String kind = kind();
        boolean isOne = keys.size() == 1;
        if (isOne && !kind.isEmpty()) {
            return RedisFailure.wrongType(keys.getFirst(), kind);
        }
        return (isOne ? "the key " : "one of the keys ")
                + String.join(", ", keys)
                + " has another type than "
                + name()
                + " wants"
                + TYPE_REMEDY;
    }

    /// By Redis's names of commands; "" for those whose name does not say it.
    private String kind() {
        String verb = verb();
        if (SCRIPTS.contains(verb)) {
            return "";
        }
        if (STRINGS.contains(verb)) {
            return "string";
        }
        return switch (verb.charAt(0)) {
            case 'Z' -> "sorted set";
            case 'H' -> "hash";
            case 'L', 'R' -> "list";
            case 'S' -> "set";
            default -> "";
        };
    }

    private List<String> keys() {
        KeyPlaces places = places();
        List<String> keys =
                Arrays.stream(command, places.first(), places.end())
                        .limit(KEYS_MAX)
                        .map(Sent::shown)
                        .collect(Collectors.toCollection(ArrayList::new));
        if (places.count() > KEYS_MAX) {
            keys.add(places.count() - KEYS_MAX + " others");
        }
        return keys;
    }

    private KeyPlaces places() {
        KeyPlaces places =
                KeyPlaces.of(command).orElse(new KeyPlaces(1, Math.min(2, command.length)));
        return script != null && script.isWhole()
                ? new KeyPlaces(places.first(), places.end() - 1)
                : places;
    }

    private static String shown(byte[] key) {
        String text = OBEYED.matcher(text(key)).replaceAll("?");
        return text.length() <= KEY_MAX ? text : text.substring(0, KEY_MAX) + "...";
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }
}
