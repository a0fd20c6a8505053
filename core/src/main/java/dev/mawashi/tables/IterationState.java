package dev.mawashi.tables;

import java.util.List;

/// The state of an iterable job, which says how far it has come, on its way to another Redis.
///
/// @param key of the hash
/// @param pairs its fields, each with its value behind it
/// @param seconds that it has to live; below 0 for no end
public record IterationState(byte[] key, List<byte[]> pairs, long seconds) {
    public IterationState {
        pairs = List.copyOf(pairs);
    }
}
