package dev.mawashi.children;

/// The notes of a dead child about its jobs, by their ids; 0 stands for none.
///
/// @param begun which jobs its threads began last; these ran, or had ended
/// @param done of those that its threads began before, the ones that ended well; reported or not
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record Noted(long[] begun, long[] done) {}
