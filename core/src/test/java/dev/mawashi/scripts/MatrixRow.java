package dev.mawashi.scripts;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// One script in all its trials. What is wrong is listed in `faults`.
final class MatrixRow {
    private static final int CALLS = 3;

    /// What somebody may write where a script expects a number.
    private static final List<String> NO_NUMBERS =
            List.of("odd", "", "inf", "9e99", "99999999999999999999");

    private static final int CALLS_AFTERWARDS = 4;

    private final RedisConnection redis;
    private final RedisConnection limited;
    private final ScriptText text;
    private final Script script;
    private final List<Start> starts;
    private final Set<String> commands;
    private final Set<String> refused = new TreeSet<>();
    private final List<String> faults = new ArrayList<>();
    private int trials;
    private int refusals;

    /// @param limited a connection whose user changes
    /// @param isMirrored whether left and right are exchanged, as for Resque's queues
    MatrixRow(
            RedisConnection redis,
            RedisConnection limited,
            ScriptText text,
            List<Start> starts,
            boolean isMirrored) {
        this.redis = redis;
        this.limited = limited;
        this.text = text;
        this.script = isMirrored ? text.script().mirrored() : text.script();
        this.starts =
                starts.stream()
                        .map(start -> text.hasMore() ? start : start.withKeys(text.keys()))
                        .map(start -> isMirrored ? start.mirrored() : start)
                        .toList();
        this.commands = ScriptText.commands(script);
    }

    int trials() {
        return trials;
    }

    int commands() {
        return commands.size();
    }

    /// The name of the user who may do all but this.
    static String userWithout(String command) {
        return "without-" + command.toLowerCase(Locale.ROOT);
    }

    List<String> faults() {
        checkStarts();
        for (Start start : starts) {
            Map<String, Map<String, Integer>> done = undisturbed(start);
            for (StartKey key : start.keys()) {
                for (StartKey.Type type : StartKey.Type.values()) {
                    if (type != key.type()) {
                        tryWithOddKey(start, key, type, done);
                    }
                }
                for (int place : key.numbers()) {
                    tryWithNoNumber(start, key, place);
                }
            }
            for (String command : commands) {
                tryWithout(start, command, done);
            }
            tryFull(start, done);
        }
        checkRefused();
        return faults;
    }

    /// What is wrong when two commands are refused at once: what one does, and what takes it back.
    List<String> faultsOfPairs() {
        checkStarts();
        List<String> all = List.copyOf(commands);
        for (Start start : starts) {
            Map<String, Map<String, Integer>> done = undisturbed(start);
            for (int i = 0; i < all.size(); i++) {
                for (String other : all.subList(0, i)) {
                    String when = all.get(i) + " and " + other + " are not allowed";
                    tryAs(start, when, done, "-" + all.get(i), "-" + other);
                }
            }
        }
        return faults;
    }

    /// What is wrong when a command is refused at one key, behind others at which it is not.
    List<String> faultsOfOneKey() {
        checkStarts();
        for (Start start : starts) {
            Map<String, Map<String, Integer>> done = undisturbed(start);
            for (String command : commands) {
                for (StartKey key : start.keys()) {
                    String others =
                            start.keys().stream()
                                    .filter(one -> !one.name().equals(key.name()))
                                    .map(one -> " ~" + one.name())
                                    .collect(Collectors.joining());
                    String when = command + " is not allowed at " + key.name();
                    tryAs(start, when, done, "-" + command, "(+" + command + others + ")");
                }
            }
        }
        return faults;
    }

    /// How many of these trials were refused.
    int refusals() {
        return refusals;
    }

    private void tryAs(
            Start start, String when, Map<String, Map<String, Integer>> done, String... rules) {
        Trial trial = trial(start);
        List<String> user =
                new ArrayList<>(
                        List.of("ACL", "SETUSER", "some", "reset", "on", "nopass", "~*", "+@all"));
        user.addAll(List.of(rules));
        redis.call(user.toArray(String[]::new));
        redis.call("ACL", "LOG", "RESET");
        limited.call("AUTH", "some", "any");
        callThrice(trial, start, when);
        limited.call("AUTH", "default", "any");
        refusals += hasRefused() ? 1 : 0;
        callAfterwards(trial, start, when, done);
    }

    private void checkStarts() {
        int most = starts.stream().mapToInt(start -> start.keys().size()).max().orElse(0);
        if (starts.isEmpty()) {
            faults.add(
                    "no state of Redis is known from which %s can be tried: add a Start with its keys, their contents and its arguments to BrokerStarts or TableStarts"
                            .formatted(text.name()));
        } else if (most < text.keys() || (text.hasMore() && most == text.keys())) {
            faults.add(
                    "the head of %s names more keys than its Starts have".formatted(text.name()));
        } else if (!text.hasMore() && text.highestKey() > text.keys()) {
            faults.add("the head of %s names too few keys".formatted(text.name()));
        }
    }

    private Map<String, Map<String, Integer>> undisturbed(Start start) {
        Trial trial = trial(start);
        for (int i = 0; i < CALLS_AFTERWARDS; i++) {
            trial.call().ifPresent(why -> faults.add(trial + " is refused: " + why));
        }
        return trial.places();
    }

    private Trial trial(Start start) {
        trials++;
        return new Trial(redis, limited, script, start);
    }

    private void tryWithOddKey(
            Start start, StartKey key, StartKey.Type type, Map<String, Map<String, Integer>> done) {
        Trial trial = trial(start);
        trial.spoil(key, type);
        String when = "%s is a %s".formatted(key.name(), type);
        callThrice(trial, start, when);
        trial.mend(key);
        callAfterwards(trial, start, when, done);
    }

    /// What is no number counts as absent.
    private void tryWithNoNumber(Start start, StartKey key, int place) {
        Map<String, Map<String, Integer>> done = undisturbed(start.with(key.without(place)));
        for (String odd : NO_NUMBERS) {
            Trial trial = trial(start.with(key.with(place, odd)));
            String when = "%s holds \"%s\"".formatted(key.name(), odd);
            callAfterwards(trial, start, when, done);
        }
    }

    private void tryWithout(Start start, String command, Map<String, Map<String, Integer>> done) {
        Trial trial = trial(start);
        redis.call("ACL", "LOG", "RESET");
        limited.call("AUTH", userWithout(command), "any");
        String when = command + " is not allowed";
        callThrice(trial, start, when);
        limited.call("AUTH", "default", "any");
        if (hasRefused()) {
            refused.add(command);
        }
        callAfterwards(trial, start, when, done);
    }

    private boolean hasRefused() {
        return redis.call("ACL", "LOG") instanceof List<?> log && !log.isEmpty();
    }

    private void tryFull(Start start, Map<String, Map<String, Integer>> done) {
        Trial trial = trial(start);
        redis.call("CONFIG", "SET", "maxmemory", "1");
        boolean isRefused = callThrice(trial, start, "Redis is full");
        redis.call("CONFIG", "SET", "maxmemory", "0");
        if (isRefused != text.isRefusedByFullRedis()) {
            faults.add(trial + (isRefused ? " is" : " is not") + " refused by a full Redis");
        }
        callAfterwards(trial, start, "Redis is full", done);
    }

    private boolean callThrice(Trial trial, Start start, String when) {
        boolean isRefused = false;
        Map<String, Integer> before = trial.counts();
        for (int i = 1; i <= CALLS; i++) {
            Optional<String> refusal = trial.call();
            isRefused |= refusal.isPresent();
            Map<String, Integer> after = trial.counts();
            if (!isKept(before, after, start, refusal.isEmpty())) {
                faults.add(
                        "%s, when %s, call %d (%s): jobs were there %s and are there %s: %s"
                                .formatted(
                                        trial,
                                        when,
                                        i,
                                        refusal.orElse("not refused"),
                                        before,
                                        after,
                                        trial.places()));
                return isRefused;
            }
        }
        return isRefused;
    }

    private static boolean isKept(
            Map<String, Integer> before, Map<String, Integer> after, Start start, boolean isDone) {
        Map<String, Integer> change = new HashMap<>(after);
        before.forEach((job, count) -> change.merge(job, -count, Integer::sum));
        return change.entrySet().stream()
                .allMatch(one ->
                        one.getValue() == 0
                                || (start.brought().contains(one.getKey())
                                        && after.getOrDefault(one.getKey(), 0) == 1)
                                || (one.getValue() < 0 && isDone && start.isDeleting()));
    }

    private void callAfterwards(
            Trial trial, Start start, String when, Map<String, Map<String, Integer>> done) {
        for (int i = 0; i < CALLS_AFTERWARDS; i++) {
            trial.call()
                    .ifPresent(why ->
                            faults.add(
                                    "%s is refused (%s), though it is over that %s"
                                            .formatted(trial, why, when)));
        }
        if (!start.isDeleting() && !trial.places().equals(done)) {
            faults.add(
                    "%s, after %s: jobs are at %s, not at %s"
                            .formatted(trial, when, trial.places(), done));
        }
    }

    /// A command that no trial has met proves nothing.
    private void checkRefused() {
        Set<String> unmet = new TreeSet<>(commands);
        unmet.removeAll(refused);
        if (!unmet.isEmpty() && !starts.isEmpty()) {
            faults.add(
                    "no Start of %s gets to %s: add one that does".formatted(text.name(), unmet));
        }
    }
}
