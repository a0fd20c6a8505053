package dev.mawashi.broker;

import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/// Moves due jobs from the schedule and retry sets to their queues.
public interface Scheduling extends Session {

    /// Lists what is due in both sets by Redis's clock; nothing while another process has the turn.
    ///
    /// @param most entries of each set
    /// @param mostBytes of each set; one entry is listed whatever its size
    Due due(int most, int mostBytes);

    /// How long entries wait whose queue could not take them.
    Duration REFUSED_WAIT = Duration.ofMinutes(1);

    /// Moves entries to their queues; one that somebody else took meanwhile is skipped. Entries of
    /// a queue that cannot take them stay in their set, due again after `REFUSED_WAIT`, so that
    /// even many of them keep no others from being seen.
    Promoted promote(List<Promotion> promotions);

    /// Moves an entry that is no job to the dead set, as it is.
    ///
    /// @return how many old entries left the dead set for it
    int bury(Entry entry);

    /// Waits until either set changed since the last `due`, or the wait is over.
    void awaitChange(Duration wait);

    /// Ends a wait from another thread.
    void wake();

    /// The two sets.
    enum From {
        RETRY(Keys.RETRY),
        SCHEDULE(Keys.SCHEDULE);

        private final String key;

        From(String key) {
            this.key = key;
        }

        /// Its name in Redis.
        public String key() {
            return key;
        }
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

    /// The result of a promotion.
    ///
    /// @param moved how many are in their queue now
    /// @param refused the queues that took none, each with the reason
    record Promoted(int moved, Map<String, String> refused) {
        public Promoted {
            refused = Map.copyOf(refused);
        }
    }

    /// The entries that are due.
    ///
    /// @param nextMillis until the next entry that is not due yet; empty when there is none
    /// @param unreadable the sets that Redis does not show, each with the reason
    record Due(List<Entry> entries, OptionalLong nextMillis, Map<From, String> unreadable) {
        public Due {
            entries = List.copyOf(entries);
            Objects.requireNonNull(nextMillis, "nextMillis");
            unreadable = Map.copyOf(unreadable);
        }
    }
}
