package dev.mawashi.bench;

import java.util.List;

/// A server with its jobs: one point of a line of the scaling benchmark.
///
/// @param value how much there is of what the line is about
/// @param contestant with the jobs that are timed
/// @param queues that the jobs are spread over
/// @param payloads of the jobs
/// @param behind jobs in the queue beyond those that are timed
record ScalePoint(
        Scale scale,
        int value,
        Contestant contestant,
        List<String> queues,
        Payloads payloads,
        int behind) {
    ScalePoint {
        queues = List.copyOf(queues);
    }
}
