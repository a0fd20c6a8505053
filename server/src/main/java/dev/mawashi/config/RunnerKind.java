package dev.mawashi.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The kinds of runners.
public enum RunnerKind {
    /// Threads of one embedded JRuby.
    JRUBY,
    /// Forked MRI processes, each with threads that run job after job.
    MRI,
    /// An MRI process for each job, forked for it.
    FORK,
    /// Job classes in Java, on threads of this process.
    JAVA;

    /// The kind as flags and files spell it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RunnerKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findAny();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(RunnerKind::word).toList();
    }

    /// The words of the kinds whose jobs are in Ruby.
    public static List<String> rubyWords() {
        return Arrays.stream(values()).filter(RunnerKind::isRuby).map(RunnerKind::word).toList();
    }

    /// Whether its jobs are in Ruby.
    public boolean isRuby() {
        return this != JAVA;
    }

    /// Whether its jobs run in Ruby processes of their own, and not in the server's.
    public boolean isInChildren() {
        return loadedBy() == MRI;
    }

    /// Whether an operator can choose the number of its processes.
    public boolean hasProcesses() {
        return this == MRI;
    }

    /// The kind whose Ruby loads the app for this one, so that an app is loaded once for both.
    public RunnerKind loadedBy() {
        return this == FORK ? MRI : this;
    }
}
