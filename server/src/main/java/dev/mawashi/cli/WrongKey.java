package dev.mawashi.cli;

import dev.mawashi.redis.RedisFailure;
import java.util.concurrent.Callable;

/// Names the key whose type is wrong, where Redis only says that one is.
final class WrongKey {
    private static final String CODE = "WRONGTYPE";

    private WrongKey() {}

    /// A key and its right type.
    ///
    /// @param kind such as `sorted set`
    record Wanted(String key, String kind) {
        /// See `WrongKey.explain`.
        <T> T explain(Callable<T> work) throws Exception {
            return WrongKey.explain(key, kind, work);
        }
    }

    /// Runs `work`, which reads or changes a key, and returns its result.
    ///
    /// @param kind what the key should be, such as `sorted set`
    static <T> T explain(String key, String kind, Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (RedisFailure failure) {
            if (failure.code().equals(CODE) || failure.reason().contains(CODE + " ")) {
                throw new CommandFailure(message(key, kind));
            }
            throw failure;
        }
    }

    static String message(String key, String kind) {
        return RedisFailure.wrongType(TextTable.printable(key), kind);
    }
}
