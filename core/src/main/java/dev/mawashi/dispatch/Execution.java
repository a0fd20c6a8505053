package dev.mawashi.dispatch;

import dev.mawashi.children.ChildPool;
import dev.mawashi.execute.Runner;

/// By what a capsule's jobs are run.
public sealed interface Execution {

    /// By threads of this process.
    ///
    /// @param isVirtual whether they are virtual threads, which suits jobs that mostly wait
    record Threads(Runner runner, boolean isVirtual) implements Execution {}

    /// By Ruby processes. The capsule has as many slots as all of them have threads.
    record Children(ChildPool pool) implements Execution {}
}
