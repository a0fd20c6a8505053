package dev.mawashi.sizing;

import dev.mawashi.figures.ClassRuns;
import dev.mawashi.figures.MetricsReader;
import dev.mawashi.figures.Period;
import dev.mawashi.figures.Stats.QueueStats;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ProcessRecord;
import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.Wildcard;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Reads pools of processes out of what processes, queues and metrics have in Redis. One thread's.
public final class SizeReader {
    /// Most pools that are reported; those with the most jobs.
    public static final int POOLS_MAX = 100;

    /// How long runs count towards the average run time.
    private static final Period RUNS = Period.MINUTES_15;

    /// Queues whose next jobs are looked at for their classes: those with the most jobs.
    private static final int QUEUES_SAMPLED = 10;

    /// Next jobs of a queue that are looked at.
    private static final int JOBS_SAMPLED = 20;

    /// No more queues are looked at after so many bytes.
    private static final long BYTES_SAMPLED = 4 << 20;

    private final RedisConnection connection;
    private final InstantSource clock;

    public SizeReader(RedisConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /// All that is read at once.
    ///
    /// @param queues those of Sidekiq's by name
    /// @param processes those that take jobs
    /// @param runSeconds average run time of the next jobs, by queue
    private record Reading(
            Map<String, QueueStats> queues,
            List<ProcessRecord> processes,
            Map<String, Double> runSeconds) {}

    /// Each pool of processes that serve the same queues, busiest queues first; at most
    /// `POOLS_MAX`.
    ///
    /// @param queues of the moment
    public List<ServingPool> pools(List<QueueStats> queues) {
        Reading reading = read(queues);
        Map<Set<String>, List<ProcessRecord>> byQueues =
                reading.processes().stream()
                        .collect(Collectors.groupingBy(one -> Set.copyOf(one.info().queues())));
        return byQueues.entrySet().stream()
                .map(pool -> pool(pool.getKey(), pool.getValue(), reading))
                .sorted(
                        Comparator.comparingLong(ServingPool::waiting)
                                .reversed()
                                .thenComparing(pool -> String.join(",", pool.queues())))
                .limit(POOLS_MAX)
                .toList();
    }

    /// The queues of these names, in which `*` stands for anything, as one pool: of all processes
    /// that serve any of them.
    ///
    /// @throws NoQueue when one of them matches no queue
    public ServingPool pool(Collection<String> patterns, List<QueueStats> queues) {
        Set<String> named = new HashSet<>();
        for (String pattern : patterns) {
            Set<String> found = matching(pattern, queues);
            if (found.isEmpty()) {
                throw new NoQueue(pattern);
            }
            named.addAll(found);
        }
        Reading reading = read(queues.stream().filter(one -> named.contains(one.name())).toList());
        List<ProcessRecord> serving =
                reading.processes().stream()
                        .filter(one -> one.info().queues().stream().anyMatch(named::contains))
                        .toList();
        return pool(named, serving, reading);
    }

    private static Set<String> matching(String pattern, List<QueueStats> queues) {
        Wildcard wildcard = new Wildcard(pattern);
        return queues.stream()
                .map(QueueStats::name)
                .filter(name ->
                        pattern.contains("*") ? wildcard.matches(name) : pattern.equals(name))
                .collect(Collectors.toSet());
    }

    private Reading read(List<QueueStats> queues) {
        List<ProcessRecord> processes =
                new ProcessReader(connection)
                        .processes().stream()
                                .filter(one -> !one.isQuiet() && !one.info().queues().isEmpty())
                                .toList();
        Map<String, QueueStats> byName = new TreeMap<>();
        queues.stream().filter(one -> !one.isPaused()).forEach(one -> byName.put(one.name(), one));
        return new Reading(byName, processes, runSeconds(byName.values()));
    }

    private Map<String, Double> runSeconds(Collection<QueueStats> queues) {
        List<QueueStats> sampled =
                queues.stream()
                        .filter(queue -> queue.size() > 0 && queue.isList())
                        .sorted(Comparator.comparingLong(QueueStats::size).reversed())
                        .limit(QUEUES_SAMPLED)
                        .toList();
        if (sampled.isEmpty()) {
            return Map.of();
        }
        Map<String, ClassRuns> runs = new MetricsReader(connection, clock).runs(RUNS);
        JobReader jobs = new JobReader(connection);
        Map<String, Double> seconds = new HashMap<>();
        long bytes = 0;
        for (QueueStats queue : sampled) {
            if (bytes < BYTES_SAMPLED) {
                List<JobEntry> next = jobs.first(queue.name(), JOBS_SAMPLED);
                bytes += next.stream().mapToLong(one -> one.job().payload().length).sum();
                average(next, runs).ifPresent(average -> seconds.put(queue.name(), average));
            }
        }
        return seconds;
    }

    /// Jobs of classes that have not run of late count for nothing.
    private static OptionalDouble average(List<JobEntry> next, Map<String, ClassRuns> runs) {
        return next.stream()
                .map(entry -> runs.get(entry.job().countedClass()))
                .filter(one -> one != null && one.processed() > one.failed())
                .mapToDouble(one -> one.meanMillis() / 1_000)
                .average();
    }

    private static ServingPool pool(
            Set<String> queues, List<ProcessRecord> processes, Reading reading) {
        List<QueueStats> open = new ArrayList<>(reading.queues().values());
        open.removeIf(queue -> !queues.contains(queue.name()));
        return new ServingPool(
                List.copyOf(new TreeSet<>(queues)),
                processes.size(),
                processes.stream().mapToLong(ProcessRecord::concurrency).sum(),
                processes.stream().mapToLong(ProcessRecord::busy).sum(),
                open.stream().mapToLong(QueueStats::size).sum(),
                open.stream().mapToDouble(QueueStats::latencySeconds).max().orElse(0),
                runSeconds(open, reading.runSeconds()));
    }

    /// The average over the queues, each as often as it has jobs. Queues of which nothing is known
    /// are taken to be like the others.
    private static OptionalDouble runSeconds(List<QueueStats> open, Map<String, Double> known) {
        double jobs = 0;
        double seconds = 0;
        for (QueueStats queue : open) {
            Double each = known.get(queue.name());
            if (each != null) {
                jobs += queue.size();
                seconds += each * queue.size();
            }
        }
        return jobs == 0 ? OptionalDouble.empty() : OptionalDouble.of(seconds / jobs);
    }
}
