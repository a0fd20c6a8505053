package dev.mawashi.dispatch;

import dev.mawashi.children.ChildPool;
import dev.mawashi.execute.Runner;

/// What runs a capsule's jobs.
public sealed interface Execution {

    /// Threads of this process run the jobs.
    ///
    /// @param isVirtual whether they are virtual threads, which suits jobs that mostly wait
    record Threads(Runner runner, boolean isVirtual) implements Execution {}

    /// Ruby processes run the jobs. The capsule has as many slots as all of them have threads.
    record Children(ChildPool pool) implements Execution {}
}
