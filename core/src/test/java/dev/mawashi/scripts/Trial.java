package dev.mawashi.scripts;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.Script;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One script called from one state, and where the jobs are then.
final class Trial {
    private static final Pattern JOB = Pattern.compile("job\\d+");

    /// Lists each key with all that it holds.
    private static final String EVERYTHING =
            """
            local read = { string = { 'GET' }, list = { 'LRANGE', 0, -1 }, set = { 'SMEMBERS' },
              hash = { 'HGETALL' }, zset = { 'ZRANGE', 0, -1 } }
            local all = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
              local call = read[redis.call('TYPE', key).ok]
              local held = redis.call(call[1], key, unpack(call, 2))
              all[#all + 1] = { key, type(held) == 'table' and table.concat(held, '\\n') or held }
            end
            return all
            """;

    private final RedisConnection redis;
    private final RedisConnection limited;
    private final Script script;
    private final Start start;
    private final Map<String, Integer> atFirst;
    private int calls;

    /// @param redis of a user who may do all
    /// @param limited where the script is called as another user at times
    Trial(RedisConnection redis, RedisConnection limited, Script script, Start start) {
        this.redis = redis;
        this.limited = limited;
        this.script = script;
        this.start = start;
        redis.call("FLUSHALL");
        start.keys().forEach(this::make);
        atFirst = counts();
    }

    private void make(StartKey key) {
        redis.call("DEL", key.name());
        if (!key.content().isEmpty()) {
            redis.call(key.command().toArray(String[]::new));
        }
    }

    /// Puts a key of another type in the place of one.
    void spoil(StartKey key, StartKey.Type type) {
        make(type.odd(key.name()));
    }

    /// Puts a key right again. A job that lay there and has come elsewhere meanwhile stays there.
    void mend(StartKey key) {
        redis.call("DEL", key.name());
        Map<String, Integer> missing = new TreeMap<>(atFirst);
        counts().forEach((job, count) -> missing.merge(job, -count, Integer::sum));
        boolean isRecord = start.records().contains(key.name());
        make(key.only(text -> isRecord || isMissing(text, missing)));
    }

    private static boolean isMissing(String text, Map<String, Integer> missing) {
        Matcher job = JOB.matcher(text);
        return !job.find() || missing.merge(job.group(), -1, Integer::sum) >= 0;
    }

    /// Calls the script as the user that `limited` has now.
    ///
    /// @return why it was refused
    Optional<String> call() {
        List<byte[]> keys = start.keys().stream().map(key -> bytes(key.name())).toList();
        List<byte[]> args =
                start.args().of(redis, calls++).stream().map(arg -> bytes(arg)).toList();
        try {
            limited.eval(script, keys, args);
            return Optional.empty();
        } catch (RedisFailure failure) {
            return Optional.of(failure.reason());
        }
    }

    /// Where each job is: keys, and how often it is there.
    Map<String, Map<String, Integer>> places() {
        Map<String, Map<String, Integer>> places = new TreeMap<>();
        for (Object one : (List<?>) Objects.requireNonNull(redis.call("EVAL", EVERYTHING, "0"))) {
            List<?> pair = (List<?>) one;
            String key = text(pair.getFirst());
            Matcher job = JOB.matcher(start.records().contains(key) ? "" : text(pair.getLast()));
            while (job.find()) {
                places.computeIfAbsent(job.group(), _ -> new TreeMap<>())
                        .merge(key, 1, Integer::sum);
            }
        }
        return places;
    }

    /// In how many places each job is.
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        places().forEach((job, keys) ->
                counts.put(job, keys.values().stream().mapToInt(n -> n).sum()));
        return counts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        String keys = String.join(" ", start.keys().stream().map(StartKey::name).toList());
        return script
                + " on "
                + keys
                + " with "
                + Arrays.toString(
                        start.args().of(redis, 0).stream()
                                .map(a -> a.length() > 40 ? "..." : a)
                                .toArray());
    }
}
