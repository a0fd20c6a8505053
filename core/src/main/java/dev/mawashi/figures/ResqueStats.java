package dev.mawashi.figures;

import dev.mawashi.wire.JsonFields;
import java.util.List;

/// The queues and workers of Resque's.
///
/// @param queues by name, at most `ResqueReader.QUEUES_MAX` of them
/// @param workers by id, at most `ResqueReader.WORKERS_MAX` of them
public record ResqueStats(List<Queue> queues, List<Worker> workers) {
    public ResqueStats {
        queues = List.copyOf(queues);
        workers = List.copyOf(workers);
    }

    /// @param size jobs that wait
    /// @param workers how many have it among their queues
    /// @param isList false when its key is of a wrong type, so that nobody can use it
    public record Queue(String name, long size, long workers, boolean isList) {
        /// One JSON object on one line.
        public String json() {
            return new JsonFields()
                    .text("name", name)
                    .json("size", isList ? "" + size : "null")
                    .number("workers", workers)
                    .toString();
        }
    }

    /// @param id its host, process and queues, with colons between them
    /// @param started as it says itself; "" when it does not
    /// @param beat its last sign of life, likewise
    /// @param isBusy whether it runs a job
    public record Worker(
            String id, List<String> queues, String started, String beat, boolean isBusy) {
        public Worker {
            queues = List.copyOf(queues);
        }
    }
}
