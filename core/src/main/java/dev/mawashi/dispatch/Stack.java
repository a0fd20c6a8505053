package dev.mawashi.dispatch;

import java.util.List;

/// The stack of a running job.
///
/// @param running the job; its process is the fork where it has one of its own
/// @param ruby the calls of Ruby code, innermost first; empty where that is unknown
/// @param java the calls of Java code, innermost first; empty where another process runs the job
/// @param lockedBy name of the thread that holds the lock that the job waits for; "" where it waits
///   for none, or the holder is unknown, as in other processes and for virtual threads
public record Stack(Running running, List<String> ruby, List<String> java, String lockedBy) {
    public Stack {
        ruby = List.copyOf(ruby);
        java = List.copyOf(java);
    }
}
