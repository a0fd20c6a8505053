package dev.mawashi.tables;

import java.util.List;

/// The record that a process writes at each beat (docs/formats/sidekiq.md, "Process records").
///
/// @param identity `host:pid:nonce`
/// @param info the part that does not change, as JSON
/// @param concurrency slots of all capsules
/// @param rttMicros time of the last round trip to Redis, in microseconds
/// @param rssKib resident memory of this process, in KiB
/// @param trouble why the process cannot run jobs now; "" when it can
/// @param own what only our records say, as JSON
/// @param work what runs now
public record ProcessBeat(
        String identity,
        String info,
        int concurrency,
        boolean isQuiet,
        long rttMicros,
        long rssKib,
        String trouble,
        String own,
        List<Work> work) {
    public ProcessBeat {
        work = List.copyOf(work);
    }

    /// A job that runs now.
    ///
    /// @param slot short name of the place where it runs, unique in the process
    /// @param startedAt epoch seconds
    /// @param place where it runs
    public record Work(String slot, String queue, byte[] payload, long startedAt, Place place) {}

    /// Where a job runs.
    ///
    /// @param runner such as `jruby`
    /// @param thread name of the thread of this process; "" when another process runs it
    /// @param pid of that other process; 0 for none
    public record Place(String runner, String thread, long pid) {}
}
