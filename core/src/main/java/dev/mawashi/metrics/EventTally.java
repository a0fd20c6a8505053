package dev.mawashi.metrics;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/// Counts events, for figures that only grow. Safe for any thread.
public final class EventTally implements Listener {
    private final Map<Counted, LongAdder> counts = new EnumMap<>(Counted.class);

    /// What is counted: jobs, or what happened to the process.
    public enum Counted {
        RETRIED,
        BURIED,
        LISTED_AS_FAILED,
        DISCARDED,
        CANCELLED,
        HELD,
        RECOVERED,
        SUSPECTED,
        SETTLED_LATE,
        STUCK,
        CHILDREN_LOST,
        CHILDREN_REPLACED,
        OUTAGES,
        DEFECTS
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
                // What is told to people only, or is one of the others told again.
            }
        }
    }
}
