package dev.mawashi.bench.command;

import static dev.mawashi.bench.report.Wording.text;

import dev.mawashi.bench.rig.BenchRedis;
import dev.mawashi.bench.rig.Contestant;
import dev.mawashi.bench.rig.Payloads;
import dev.mawashi.bench.rig.Row;
import dev.mawashi.bench.rig.ScaleRace;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A quantity that the scaling benchmark increases step by step.
enum Scale {
    /// Slots of one server on JRuby.
    THREADS("threads", 500, Row.THREADS_MAX),
    /// MRI processes of one server.
    CHILDREN("children", 8, Row.PROCESSES_MAX),
    /// Bytes of a job's argument.
    PAYLOAD("payload bytes", 1_000_000, 4_000_000),
    /// Queues that the same number of jobs are in.
    QUEUES("queues", 1_000, 1_000),
    /// Jobs that wait behind those that are timed.
    BACKLOG("jobs behind", 5_000_000, 50_000_000),
    /// Servers on one Redis.
    PROCESSES("processes", 4, Row.PROCESSES_MAX);

    private static final int LOGARITHMIC_FROM = 100;
    private static final int CHILD_THREADS = 10;

    /// The memory that a queue may take, however large its jobs are.
    private static final int QUEUE_BYTES_MAX = 400_000_000;

    /// The unit of its values.
    final String unit;

    /// The last value, without a flag.
    final int usual;

    final int max;

    Scale(String unit, int usual, int max) {
        this.unit = unit;
        this.usual = usual;
        this.max = max;
    }

    /// @return empty when there is none
    static Optional<Scale> parse(String word) {
        return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(Scale::word).collect(Collectors.joining(", "));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The values that are measured.
    ///
    /// @param last the largest
    List<Integer> values(int last) {
        IntStream before = steps().filter(one -> one < last);
        return IntStream.concat(before, IntStream.of(last)).boxed().toList();
    }

    private IntStream steps() {
        return switch (this) {
            case THREADS -> IntStream.of(1, 5, 25, 100, 500, 1_000, 5_000);
            case CHILDREN -> IntStream.of(1, 2, 4, 8, 16, 32);
            case PAYLOAD -> IntStream.of(100, 1_000, 10_000, 100_000, 1_000_000);
            case QUEUES -> IntStream.of(1, 10, 100, 1_000);
            case BACKLOG -> IntStream.of(10_000, 100_000, 1_000_000, 5_000_000);
            case PROCESSES -> IntStream.of(1, 2, 4, 8);
        };
    }

    /// The name of a row.
    String label(int value) {
        return text("%s %,d", word(), value);
    }

    /// Whether its values are so far apart that the axis needs powers of ten.
    boolean isLogarithmic() {
        return usual >= LOGARITHMIC_FROM;
    }

    /// Who runs the jobs.
    ///
    /// @param usual where that is not what changes
    Row row(int value, Row usual) {
        return switch (this) {
            case THREADS -> new Row(Row.Kind.JRUBY, 1, value);
            case CHILDREN -> new Row(Row.Kind.MRI, value, CHILD_THREADS);
            case PAYLOAD, QUEUES, BACKLOG, PROCESSES -> usual;
        };
    }

    /// What is to be done there.
    ///
    /// @param one with as many jobs as are usual
    ScaleRace.Load load(int value, Contestant one) {
        List<String> queues = BenchRedis.queues(this == QUEUES ? value : 1);
        Payloads payloads = this == PAYLOAD ? Payloads.text(value) : Payloads.NOOP;
        Contestant changed =
                switch (this) {
                    case THREADS, CHILDREN, BACKLOG -> one;
                    case PROCESSES -> one.times(value);
                    case PAYLOAD -> one.doing(Math.clamp(QUEUE_BYTES_MAX / value, 1, one.jobs()));
                    // Rounded, so that each queue gets the same number of jobs.
                    case QUEUES ->
                            one.withQueues(queues).doing(Math.max(1, one.jobs() / value) * value);
                };
        return new ScaleRace.Load(changed, queues, payloads, this == BACKLOG ? value : 0);
    }
}
