package dev.mawashi.java;

import dev.mawashi.execute.Runner;
import dev.mawashi.execute.RunnerSlot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Runs Java jobs on the calling threads. Their classes, static state included, are shared by all
/// slots and live as long as the runner.
public final class JavaRunner implements Runner {
    private final JobClassLoader loader;
    private final JavaClasses classes;
    private final Set<JavaSlot> slots = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    public JavaRunner(JobClassPath path) {
        loader = new JobClassLoader(path.urls());
        classes = new JavaClasses(path, loader);
    }

    @Override
    public RunnerSlot openSlot() {
        JavaSlot slot = new JavaSlot(this);
        slots.add(slot);
        return slot;
    }

    /// Why there is no job class of this name; "" when there is one.
    public String problem(String jobClass) {
        try {
            JavaClass _ = classes.find(jobClass);
            return "";
        } catch (Refusal | LinkageError none) {
            return String.valueOf(none.getMessage());
        }
    }

    /// Answers jobs that ask that the server is stopping.
    public void announceStop() {
        isStopping = true;
    }

    /// The stacks of all slots, for the log.
    public List<String> backtraces() {
        return slots.stream().map(slot -> backtrace(slot.thread())).sorted().toList();
    }

    private static String backtrace(Thread thread) {
        StringBuilder lines = new StringBuilder(thread.getName());
        for (StackTraceElement frame : thread.getStackTrace()) {
            lines.append("\n  ").append(frame);
        }
        return lines.toString();
    }

    JobClassLoader loader() {
        return loader;
    }

    JavaClasses classes() {
        return classes;
    }

    boolean isStopping() {
        return isStopping;
    }

    void closed(JavaSlot slot) {
        slots.remove(slot);
    }

    /// Lets go of the class path; no slot may be open.
    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
