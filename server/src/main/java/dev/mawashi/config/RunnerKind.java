package dev.mawashi.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// By what jobs are run.
public enum RunnerKind {
    /// Threads of one embedded JRuby.
    JRUBY,
    /// Forked MRI processes, each with threads that run job after job.
    MRI,
    /// An MRI process for each job, forked for it.
    FORK,
    /// Job classes in Java, on threads of this process.
    JAVA;

    /// As flags and files spell it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RunnerKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findAny();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(RunnerKind::word).toList();
    }

    /// Of those whose jobs are in Ruby.
    public static List<String> rubyWords() {
        return Arrays.stream(values()).filter(RunnerKind::isRuby).map(RunnerKind::word).toList();
    }

    /// Whether its jobs are in Ruby.
    public boolean isRuby() {
        return this != JAVA;
    }

    /// Whether its jobs run in a number of processes that can be chosen.
    public boolean hasProcesses() {
        return this == MRI;
    }

    /// The kind in whose Ruby it finds the app, so that both need it loaded only once.
    public RunnerKind loadedBy() {
        return this == FORK ? MRI : this;
    }
}
