package dev.mawashi.children;

import java.io.File;

/// Counts the threads of a process, as Linux lists them. On MRI each Ruby thread is one.
public final class ProcessThreads {
    private ProcessThreads() {}

    /// @return 0 when unknown, as when the process has ended
    public static int count(long pid) {
        String[] threads = new File("/proc/" + pid + "/task").list();
        return threads == null ? 0 : threads.length;
    }
}
