package dev.mawashi.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// By what jobs are run.
public enum RunnerKind {
    /// Threads of one embedded JRuby.
    JRUBY,
    /// Forked MRI processes.
    MRI;

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

    /// Whether its jobs run in processes of their own.
    public boolean hasProcesses() {
        return this == MRI;
    }
}
