package dev.mawashi.presence;

import dev.mawashi.dispatch.Running;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.fleet.ResqueWorkers;
import dev.mawashi.fleet.WorkEntry;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/// A process as it appears among Resque's workers, of which each runs one job:
/// `mawashi@<host>:<pid>:<queues>`, `mawashi@<host>:<pid>-2:<queues>` and so on.
///
/// A Resque worker removes the records of workers on its own host whose pid is not that of a
/// process named resque. It compares the first part of the id with its host's name, so that ours
/// must differ.
///
/// Which of them runs which job means nothing but that a job keeps its place while it runs.
public final class ResqueWorker {
    /// So that a beat stays small, however many jobs run at once.
    static final int RECORDS_MAX = 100;

    private static final String LABEL = "mawashi@";
    private static final DateTimeFormatter BEAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);
    private static final DateTimeFormatter START =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx", Locale.ROOT);

    private final List<String> ids;
    private final long[] tokens;
    private final Instant startedAt;

    /// @param slots jobs that run at once
    public ResqueWorker(ProcessName name, QueuePatterns queues, int slots, Instant startedAt) {
        this.startedAt = startedAt;
        ids =
                IntStream.rangeClosed(1, Math.min(slots, RECORDS_MAX))
                        .mapToObj(number -> id(name, number, queues))
                        .toList();
        tokens = new long[ids.size()];
    }

    /// The first of a process's workers, for which its runs count.
    public static String id(ProcessName name, QueuePatterns queues) {
        return id(name, 1, queues);
    }

    private static String id(ProcessName name, int number, QueuePatterns queues) {
        String pid = name.pid() + (number == 1 ? "" : "-" + number);
        return LABEL + name.host().replace(':', '.') + ":" + pid + ":" + queues.describe();
    }

    /// Whether an id is that of a process of ours.
    static boolean isOurs(String id) {
        return id.startsWith(LABEL);
    }

    List<String> ids() {
        return ids;
    }

    ResqueWorkers.Beat beat(long ended, List<Running> running, Instant now, ZoneId zone) {
        SequencedMap<String, String> workers = new LinkedHashMap<>();
        ids.forEach(id -> workers.put(id, ""));
        place(running).forEach((index, job) -> workers.put(ids.get(index), describe(job, now)));
        return new ResqueWorkers.Beat(
                ended,
                BEAT.withZone(zone).format(now),
                START.withZone(zone).format(startedAt),
                workers);
    }

    /// Jobs that ran before keep their places; the others get free ones, as far as there are any.
    private Map<Integer, Running> place(List<Running> running) {
        Map<Integer, Running> placed = new LinkedHashMap<>();
        for (Running job : running) {
            int place = indexOf(job.lease().token());
            if (place >= 0) {
                placed.put(place, job);
            }
        }
        for (Running job : running) {
            int place = placed.containsValue(job) ? -1 : firstFree(placed);
            if (place >= 0) {
                placed.put(place, job);
                tokens[place] = job.lease().token();
            }
        }
        return placed;
    }

    private int indexOf(long token) {
        return IntStream.range(0, tokens.length)
                .filter(place -> tokens[place] == token)
                .findFirst()
                .orElse(-1);
    }

    private int firstFree(Map<Integer, Running> placed) {
        return IntStream.range(0, tokens.length)
                .filter(place -> !placed.containsKey(place))
                .findFirst()
                .orElse(-1);
    }

    private static String describe(Running job, Instant now) {
        Instant since =
                now.minusNanos(Math.max(0, System.nanoTime() - job.startedNanos()))
                        .truncatedTo(ChronoUnit.SECONDS);
        return new WorkEntry(
                        "",
                        job.lease().queue(),
                        job.lease().payload(),
                        Optional.of(since),
                        WorkEntry.Place.UNKNOWN,
                        job.lease().runId())
                .workerJson();
    }
}
