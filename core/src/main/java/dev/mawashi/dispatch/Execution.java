package dev.mawashi.dispatch;

import dev.mawashi.children.ChildPool;
import dev.mawashi.execute.Runner;

/// The means by which a capsule runs its jobs.
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

    /// Ruby processes run the jobs. The capsule has as many slots as its lane in all of them.
    record Children(Crew crew, int lane) implements Execution {
        /// Processes that run the jobs of this capsule alone.
        public Children(ChildPool pool) {
            this(new Crew(pool), 0);
        }

        @Override
        public String runner() {
            return crew.pool().runner();
        }
    }
}
