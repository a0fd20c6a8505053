package dev.mawashi.execute;

/// A way to run jobs: JRuby threads, MRI processes, forks or Java classes. One per server process;
/// it is booted before the first slot opens and closed after the last has closed.
public interface Runner extends AutoCloseable {

    /// Opens a slot on the calling thread. The slot belongs to that thread: it alone calls `run`
    /// and `close`, and it is the thread the job's code runs on.
    RunnerSlot openSlot();

    /// What runs the jobs here in one word, as flags and pages name it.
    default String word() {
        return "java";
    }

    @Override
    void close();
}
