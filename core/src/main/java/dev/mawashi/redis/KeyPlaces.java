package dev.mawashi.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The places of the keys among the words of a command, of those that we and our tests send.
///
/// @param first the first key's place; the command's name is at 0
/// @param end the place behind the last key; equal to `first` where there is none
record KeyPlaces(int first, int end) {
    private static final KeyPlaces NONE = new KeyPlaces(1, 1);

    private static final String KEYLESS =
            "CLIENT CONFIG DBSIZE EXEC INFO MULTI PING SCAN SCRIPT SELECT SLOWLOG SUBSCRIBE TIME"
                    + " WAIT WAITAOF";

    private static final String ONE =
            "EXPIRE GET HDEL HEXISTS HGET HGETALL HINCRBY HKEYS HLEN HMGET HSET HSETNX HSTRLEN HVALS INCR INCRBY"
                    + " LINDEX LLEN LPOP LPOS LPUSH LRANGE LREM LTRIM PEXPIRE RPOP RPUSH SADD SET"
                    + " SISMEMBER SMEMBERS SREM TTL TYPE ZADD ZCARD ZCOUNT ZMSCORE ZRANGE ZRANGEBYSCORE ZREM"
                    + " ZREMRANGEBYRANK ZREMRANGEBYSCORE ZSCORE";

    private static final Map<String, Form> FORMS = forms();

    /// The way in which a command has its keys.
    private enum Form {
        KEYLESS,
        ONE,
        TWO,
        ALL,

        /// All words but the last, which is a time limit.
        ALL_BUT_LAST,

        /// Their number stands before them, as the first word.
        COUNTED,

        /// Their number stands before them, as the second word.
        SCRIPT,

        /// One, behind a word that says what to do.
        SECOND
    }

    private static Map<String, Form> forms() {
        Map<String, Form> forms = new HashMap<>();
        put(forms, Form.KEYLESS, KEYLESS);
        put(forms, Form.ONE, ONE);
        put(forms, Form.TWO, "BLMOVE LMOVE");
        put(forms, Form.ALL, "DEL EXISTS MGET UNLINK");
        put(forms, Form.ALL_BUT_LAST, "BLPOP");
        put(forms, Form.COUNTED, "ZUNION");
        put(forms, Form.SCRIPT, "EVAL EVALSHA");
        put(forms, Form.SECOND, "MEMORY");
        return Map.copyOf(forms);
    }

    private static void put(Map<String, Form> forms, Form form, String verbs) {
        for (String verb : verbs.split(" ", -1)) {
            forms.put(verb, form);
        }
    }

    /// The places in a command; empty where its name is not among those that are known here.
    static Optional<KeyPlaces> of(byte[]... command) {
        return Optional.ofNullable(FORMS.get(verb(command))).map(form -> of(form, command));
    }

    static String verb(byte[]... command) {
        return new String(command[0], StandardCharsets.UTF_8).toUpperCase(Locale.ROOT);
    }

    private static KeyPlaces of(Form form, byte[]... command) {
        return switch (form) {
            case KEYLESS -> NONE;
            case ONE -> within(1, 2, command);
            case TWO -> within(1, 3, command);
            case ALL -> within(1, command.length, command);
            case ALL_BUT_LAST -> within(1, command.length - 1, command);
            case COUNTED -> within(2, 2 + number(1, command), command);
            case SCRIPT -> within(3, 3 + number(2, command), command);
            case SECOND -> within(2, 3, command);
        };
    }

    private static KeyPlaces within(int first, int end, byte[]... command) {
        return new KeyPlaces(first, Math.clamp(end, first, Math.max(first, command.length)));
    }

    private static int number(int at, byte[]... command) {
        return Integer.parseInt(new String(command[at], StandardCharsets.US_ASCII));
    }

    int count() {
        return end - first;
    }
}
