package dev.mawashi.client;

import java.util.List;

/// Keeps how far iterable jobs have come, and the locks of jobs, for shipped Ruby that asks in
/// words. Safe for any thread.
@FunctionalInterface
public interface IterationStates {

    /// Does what the first word says.
    ///
    /// @param words `read`, `write` or `forget` the state of the job whose jid is the second word;
    ///   to `write`, then field, value, field, value and so on. Or `free`, a jid and what its
    ///   payload says of its lock. Or `enqueue`, a queue or nothing, then as `LockTable`
    /// @return to `read` the fields and values; to `write` the time at which the job was cancelled,
    ///   if it was; to `enqueue` as `LockTable`
    /// @throws dev.mawashi.redis.RedisFailure when Redis cannot be reached or refuses
    List<byte[]> ask(List<byte[]> words);
}
