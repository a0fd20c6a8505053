package dev.mawashi.scripts;

import dev.mawashi.redis.RedisConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// A state of Redis from which a script does what it is there for, and how it is called then.
///
/// @param keys KEYS of the call, in their order
/// @param isDeleting whether it removes jobs for good where it is not refused
/// @param brought jobs that the call itself brings, such as those that a process still holds
/// @param records keys in which jobs are noted that are elsewhere
record Start(
        String script,
        List<StartKey> keys,
        Args args,
        boolean isDeleting,
        Set<String> brought,
        Set<String> records) {

    /// What the call gets as ARGV.
    interface Args {
        /// @param call how often it was called before
        List<String> of(RedisConnection redis, int call);
    }

    Start {
        keys = List.copyOf(keys);
        brought = Set.copyOf(brought);
        records = Set.copyOf(records);
    }

    static Start of(String script, StartKey... keys) {
        return new Start(script, List.of(keys), (_, _) -> List.of(), false, Set.of(), Set.of());
    }

    Start args(String... args) {
        return args((_, _) -> List.of(args));
    }

    Start args(Args other) {
        return new Start(script, keys, other, isDeleting, brought, records);
    }

    Start deleting() {
        return new Start(script, keys, args, true, brought, records);
    }

    Start bringing(String... jobs) {
        return new Start(script, keys, args, isDeleting, Set.of(jobs), records);
    }

    Start noting(String... names) {
        return new Start(script, keys, args, isDeleting, brought, Set.of(names));
    }

    /// The same with so many keys: those that a head does not number are not there.
    Start withKeys(int most) {
        List<StartKey> first = keys.subList(0, Math.min(most, keys.size()));
        return new Start(script, first, args, isDeleting, brought, records);
    }

    /// The same with another key of this name.
    Start with(StartKey other) {
        List<StartKey> others =
                keys.stream().map(key -> key.name().equals(other.name()) ? other : key).toList();
        return new Start(script, others, args, isDeleting, brought, records);
    }

    Start mirrored() {
        List<StartKey> others = keys.stream().map(StartKey::mirrored).toList();
        return new Start(script, others, args, isDeleting, brought, records);
    }

    /// A payload with the name by which the matrix knows it.
    static String job(int number) {
        return "{\"jid\":\"job" + number + "\"}";
    }

    /// The same job's bytes elsewhere.
    static String changed(int number) {
        return "{\"jid\":\"job" + number + "\",\"changed\":1}";
    }

    static String[] with(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }
}
