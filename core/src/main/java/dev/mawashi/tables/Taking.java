package dev.mawashi.tables;

import static dev.mawashi.redis.RedisConnection.ascii;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// Runs the scripts that take entries out of a list by the places that they had (mark_jobs.lua).
final class Taking {
    private Taking() {}

    /// Runs one until it has looked for each of them.
    ///
    /// @param first its first argument
    /// @param last what it gets of each behind bytes and place
    /// @return how many were there
    static int run(
            RedisConnection connection,
            Script script,
            List<byte[]> keys,
            byte[] first,
            List<QueueEditing.Waiting> jobs,
            List<byte[]> last) {
        int found = 0;
        List<Integer> open = IntStream.range(0, jobs.size()).boxed().toList();
        while (!open.isEmpty()) {
            List<byte[]> args = new ArrayList<>(List.of(first));
            for (int i : open) {
                args.add(jobs.get(i).payload());
                args.add(ascii("" + jobs.get(i).place()));
                args.add(last.get(i));
            }
            List<?> states = (List<?>) Objects.requireNonNull(connection.eval(script, keys, args));
            List<Integer> rest = new ArrayList<>();
            for (int i = 0; i < states.size(); i++) {
                int state = Commands.number(states.get(i));
                found += Math.max(0, state);
                if (state < 0) {
                    rest.add(open.get(i));
                }
            }
            open = rest;
        }
        return found;
    }
}
