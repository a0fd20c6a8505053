package dev.mawashi.client;

import java.util.List;

/// Keeps how far iterable jobs have come, for shipped Ruby that asks in words. Safe for any thread.
@FunctionalInterface
public interface IterationStates {

    /// Does what the first word says with the state of the job whose jid is the second.
    ///
    /// @param words `read`; `write` with field, value, field, value and so on; `forget`
    /// @return to `read` the fields and values; to `write` the time at which the job was cancelled,
    ///   if it was
    /// @throws dev.mawashi.redis.RedisFailure when Redis cannot be reached or refuses
    List<byte[]> ask(List<byte[]> words);
}
