package dev.mawashi.broker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/// Moves due jobs from the schedule and retry sets to their queues.
public interface Scheduling extends Session {

    /// Lists what is due in both sets by Redis's clock.
    ///
    /// @param most entries of each set
    Due due(int most);

    /// Moves entries to their queues; one that somebody else took meanwhile is skipped.
    ///
    /// @return how many were moved
    int promote(List<Promotion> promotions);

    /// Moves an entry that is no job to the dead set, as it is.
    void bury(Entry entry);

    /// Waits until either set changed since the last `due`, or the wait is over.
    void awaitChange(Duration wait);

    /// Ends a wait from another thread.
    void wake();

    /// The two sets.
    enum From {
        RETRY,
        SCHEDULE
    }

    /// An entry of a set: its exact bytes.
    record Entry(From from, byte[] payload) {
        public Entry {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(payload, "payload");
        }
    }

    /// An entry on its way to a queue.
    ///
    /// @param payload the bytes to put into the queue
    record Promotion(Entry entry, String queue, byte[] payload) {
        public Promotion {
            Objects.requireNonNull(entry, "entry");
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(payload, "payload");
        }
    }

    /// What is due.
    ///
    /// @param nextMillis until the next entry that is not due yet; empty when there is none
    record Due(List<Entry> entries, OptionalLong nextMillis) {
        public Due {
            entries = List.copyOf(entries);
            Objects.requireNonNull(nextMillis, "nextMillis");
        }
    }
}
