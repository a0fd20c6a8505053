package dev.mawashi.dispatch;

import dev.mawashi.children.ChildPool;
import dev.mawashi.execute.Runner;

/// What runs a capsule's jobs.
public sealed interface Execution {

    /// What runs the jobs in one word, as flags and pages name it.
    String runner();

    /// Threads of this process run the jobs.
    ///
    /// @param isVirtual whether they are virtual threads, which suits jobs that mostly wait
    record Threads(Runner by, boolean isVirtual) implements Execution {
        @Override
        public String runner() {
            return by.word();
        }
    }

    /// Ruby processes run the jobs. The capsule has as many slots as all of them have threads.
    record Children(ChildPool pool) implements Execution {
        @Override
        public String runner() {
            return pool.runner();
        }
    }
}
