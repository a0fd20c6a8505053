package dev.mawashi.metrics;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts events, for figures that only grow. Safe for any thread.
public final class EventTally implements Listener {
    /// Names come out of payloads, so there may be any number of them.
    private static final int CLASSES_MAX = 200;

    private static final String OTHERS = "other";

    private final Map<Counted, LongAdder> counts = new EnumMap<>(Counted.class);
    private final Map<String, LongAdder> expired = new ConcurrentHashMap<>();

    /// A count, of jobs or of events of the process.
    public enum Counted {
        RETRIED("jobs_retried", "failed jobs that were put into the retry set"),
        BURIED("jobs_buried", "jobs that went to the dead set"),
        LISTED_AS_FAILED(
                "jobs_listed_as_failed", "failed jobs that went to a failure list of Resque's"),
        DISCARDED("jobs_discarded", "failed jobs that were dropped, as they asked for"),
        CANCELLED("jobs_cancelled", "jobs that an operator cancelled"),
        EXPIRED("jobs_expired", "jobs that did not begin in their time"),
        HELD("jobs_held", "jobs that ask for what this server does not have"),
        RECOVERED("jobs_recovered", "jobs of dead processes that were put back"),
        SUSPECTED("jobs_suspected", "jobs that were in hand at a second death of a process"),
        SETTLED_LATE("jobs_settled_late", "jobs that ran twice, as others had recovered them"),
        STUCK("stuck_slots", "jobs that did not end when asked to"),
        CHILDREN_LOST("children_lost", "child processes that ended unasked"),
        CHILDREN_REPLACED(
                "children_replaced",
                "child processes that others replaced: over a limit, hanging, for new code"),
        OUTAGES("redis_outages", "reports that Redis did not answer, one in 5 s at most"),
        DEFECTS("defects", "failures of a part of the server that should not be");

        private final String word;
        private final String help;

        Counted(String word, String help) {
            this.word = word;
            this.help = help;
        }

        /// What figures of it are named by, such as `jobs_retried`.
        public String word() {
            return word;
        }

        /// What it is, in a line.
        public String help() {
            return help;
        }
    }

    public EventTally() {
        for (Counted one : Counted.values()) {
            counts.put(one, new LongAdder());
        }
    }

    /// How many there were since the start.
    public long count(Counted one) {
        return adder(one).sum();
    }

    /// How many of [Counted#EXPIRED] there were by class. Beyond a number of classes the others
    /// count as one, named `other`.
    public Map<String, Long> expired() {
        Map<String, Long> sums = new TreeMap<>();
        expired.forEach((jobClass, count) -> sums.put(jobClass, count.sum()));
        return sums;
    }

    private void expired(String jobClass) {
        boolean isKnown = expired.containsKey(jobClass) || expired.size() < CLASSES_MAX;
        expired.computeIfAbsent(isKnown ? jobClass : OTHERS, _ -> new LongAdder()).increment();
        add(Counted.EXPIRED, 1);
    }

    private LongAdder adder(Counted one) {
        return Objects.requireNonNull(counts.get(one));
    }

    private void add(Counted one, long number) {
        adder(one).add(number);
    }

    @Override
    public void on(Event event) {
        switch (event) {
            case Event.JobFailed e when e.retrySeconds().isPresent() -> add(Counted.RETRIED, 1);
            case Event.JobBuried _ -> add(Counted.BURIED, 1);
            case Event.PayloadsTooLarge e -> add(Counted.BURIED, e.count());
            case Event.JobListedAsFailed _ -> add(Counted.LISTED_AS_FAILED, 1);
            case Event.JobDiscarded _ -> add(Counted.DISCARDED, 1);
            case Event.JobCancelled _ -> add(Counted.CANCELLED, 1);
            case Event.JobExpired e -> expired(e.job().jobClass());
            case Event.JobHeld _ -> add(Counted.HELD, 1);
            case Event.JobsRecovered e -> add(Counted.RECOVERED, e.count());
            case Event.JobsSuspected e -> add(Counted.SUSPECTED, e.count());
            case Event.SettledLate e -> add(Counted.SETTLED_LATE, e.count());
            case Event.SlotStuck _ -> add(Counted.STUCK, 1);
            case Event.ChildLost _ -> add(Counted.CHILDREN_LOST, 1);
            case Event.ChildRecycled _ -> add(Counted.CHILDREN_REPLACED, 1);
            case Event.BrokerDown _ -> add(Counted.OUTAGES, 1);
            case Event.Defect _ -> add(Counted.DEFECTS, 1);
            default -> {
                // For people only, or one of the others again.
            }
        }
    }
}
