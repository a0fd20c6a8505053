package dev.mawashi.broker;

import java.time.Duration;
import java.util.Objects;

/// The destination of a claimed job after its run; or, as `Arrived`, that it runs and has not been
/// claimed.
public sealed interface Settlement {

    /// It is done and forgotten.
    record Ack() implements Settlement {}

    /// It goes to the retry set.
    ///
    /// @param payload its new bytes
    /// @param delay from now, by Redis's clock
    record Retry(byte[] payload, Duration delay) implements Settlement {
        public Retry {
            Objects.requireNonNull(payload, "payload");
            Objects.requireNonNull(delay, "delay");
        }
    }

    /// It goes to the dead set.
    ///
    /// @param payload its new bytes, or its old ones when it could not be read
    record Bury(byte[] payload) implements Settlement {
        public Bury {
            Objects.requireNonNull(payload, "payload");
        }
    }

    /// It goes to a failure list of Resque's, and is counted as failed.
    ///
    /// @param record what the list gets
    record Fail(byte[] record, FailurePlace place) implements Settlement {
        public Fail {
            Objects.requireNonNull(record, "record");
            Objects.requireNonNull(place, "place");
        }
    }

    /// It goes back to the head of its queue, unchanged.
    record Requeue() implements Settlement {}

    /// It runs: it arrived for this process while that parked, began without a claim, and goes to
    /// the in-flight store only now. This settles nothing. It travels with the settlements since
    /// the job's own must come after it, and since it then costs no round trip of its own.
    record Arrived() implements Settlement {}

    Settlement ARRIVED = new Arrived();
    Settlement ACK = new Ack();
    Settlement REQUEUE = new Requeue();
}
