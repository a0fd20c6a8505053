package dev.mawashi.children;

/// The stacks of a Ruby process.
///
/// @param text of one job its calls, innermost first; of all threads each one's name, then its
///   calls
public record Trace(long pid, String text) {}
