package dev.mawashi.redisfacts;

import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// A command of Redis's slow log, as far as it may be shown: its name, and its first key where that
/// is a key of jobs. Any other word may be a payload, a session of the app's, or a password.
final class SlowCommand {
    private static final int LENGTH_MAX = 120;

    /// Those whose second word says what they do.
    private static final Set<String> WITH_SUBCOMMAND =
            Set.of("client", "config", "memory", "script", "slowlog", "acl", "debug", "latency");

    /// Those whose first key is the fourth word.
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "eval_ro", "evalsha_ro");

    private static final Set<String> OUR_KEYS =
            Set.of(Keys.QUEUES, Keys.SCHEDULE, Keys.RETRY, Keys.DEAD, Keys.PROCESSES, Keys.PAUSED);

    private static final List<String> OUR_PREFIXES =
            List.of(Keys.queue(""), "mw:", "stat:", ResqueKeys.DEFAULT.namespace() + ":");

    private SlowCommand() {}

    static String shown(List<String> words) {
        String name = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z_.]{1,30}")) {
            return "(unknown)";
        }
        int at = SCRIPTS.contains(name) ? 3 : 1;
        String word = words.size() > at ? words.get(at) : "";
        boolean isShown =
                WITH_SUBCOMMAND.contains(name) ? word.matches("[A-Za-z]{1,30}") : isOurs(word);
        String all = isShown ? name + " " + word : name;
        return all.length() > LENGTH_MAX ? all.substring(0, LENGTH_MAX - 1) + "…" : all;
    }

    private static boolean isOurs(String key) {
        return OUR_KEYS.contains(key) || OUR_PREFIXES.stream().anyMatch(key::startsWith);
    }
}
