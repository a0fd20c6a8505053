package dev.mawashi.bench.rig;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A job server in one configuration, as a word: `jruby-150`, `mri-5x50`, `sidekiq-2x10`, `fork-2`.
///
/// @param processes that run jobs
/// @param threads of each
public record Row(Kind kind, int processes, int threads) {
    public static final int PROCESSES_MAX = 100;
    public static final int THREADS_MAX = 10_000;

    private static final Pattern WORD =
            Pattern.compile("([a-z]+(?:-[a-z]+)?)-(?:(\\d{1,3})x)?(\\d{1,5})");

    /// The means that runs the jobs.
    public enum Kind {
        JRUBY(Shape.THREADS),
        VIRTUAL(Shape.THREADS),
        MRI(Shape.BOTH),
        MRI_YJIT(Shape.BOTH),
        FORK(Shape.PROCESSES),
        SIDEKIQ(Shape.BOTH),
        SIDEKIQ_YJIT(Shape.BOTH),
        SIDEKIQ_JRUBY(Shape.BOTH),
        RESQUE(Shape.PROCESSES),
        LOOP(Shape.PROCESSES);

        private final Shape shape;

        Kind(Shape shape) {
            this.shape = shape;
        }

        /// Why this machine has none; empty when it has.
        public Optional<String> missing() {
            return switch (this) {
                case JRUBY, VIRTUAL -> Optional.empty();
                case MRI, FORK, LOOP ->
                        without("ruby", "there is no ruby on PATH (apt install ruby)");
                case SIDEKIQ, SIDEKIQ_JRUBY ->
                        without("sidekiq", "it is not on PATH (apt install ruby-sidekiq)");
                case MRI_YJIT, SIDEKIQ_YJIT ->
                        Programs.hasYjit()
                                ? (isSidekiq() ? SIDEKIQ : MRI).missing()
                                : Optional.of("the ruby on PATH has no YJIT");
                case RESQUE ->
                        Programs.resque().isPresent()
                                ? Optional.empty()
                                : Optional.of(
                                        "ruby finds no resque (gem install resque, or RUBYLIB)");
            };
        }

        private static Optional<String> without(String program, String reason) {
            return Programs.find(program).isPresent() ? Optional.empty() : Optional.of(reason);
        }

        /// Whether a job has a process of its own, which takes a hundred times as long as the job.
        public boolean isForking() {
            return shape == Shape.PROCESSES;
        }

        public boolean isSidekiq() {
            return this == SIDEKIQ || this == SIDEKIQ_YJIT || this == SIDEKIQ_JRUBY;
        }

        public boolean isOurs() {
            return switch (this) {
                case JRUBY, VIRTUAL, MRI, MRI_YJIT, FORK -> true;
                default -> false;
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// Of which numbers a configuration is made: `KIND-THREADS`, `KIND-PROCESSES` or
    /// `KIND-PROCESSESxTHREADS`.
    private enum Shape {
        THREADS,
        PROCESSES,
        BOTH
    }

    public Row {
        if (processes < 1 || processes > PROCESSES_MAX || threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException(
                    "%s processes x %s threads is not from 1x1 to %sx%s"
                            .formatted(processes, threads, PROCESSES_MAX, THREADS_MAX));
        }
    }

    /// @throws IllegalArgumentException when it names none
    public static Row parse(String word) {
        Matcher matcher = WORD.matcher(word);
        Optional<Kind> kind =
                Arrays.stream(Kind.values())
                        .filter(one -> matcher.matches() && one.word().equals(matcher.group(1)))
                        .findFirst();
        if (kind.isEmpty() || (matcher.group(2) != null) != (kind.get().shape == Shape.BOTH)) {
            throw new IllegalArgumentException(word + " is none of " + forms());
        }
        int last = Integer.parseInt(matcher.group(3));
        return switch (kind.get().shape) {
            case THREADS -> new Row(kind.get(), 1, last);
            case PROCESSES -> new Row(kind.get(), last, 1);
            case BOTH -> new Row(kind.get(), Integer.parseInt(matcher.group(2)), last);
        };
    }

    private static String forms() {
        return Arrays.stream(Kind.values())
                .map(kind -> kind.word() + (kind.shape == Shape.BOTH ? "-NxN" : "-N"))
                .collect(Collectors.joining(", "));
    }

    /// Jobs that run at once.
    public int slots() {
        return processes * threads;
    }

    @Override
    public String toString() {
        return switch (kind.shape) {
            case THREADS -> kind.word() + "-" + threads;
            case PROCESSES -> kind.word() + "-" + processes;
            case BOTH -> kind.word() + "-" + processes + "x" + threads;
        };
    }
}
