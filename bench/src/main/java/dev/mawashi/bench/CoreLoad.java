package dev.mawashi.bench;

import java.util.List;

/// How busy each core of the machine was during a run, by everything that ran on it.
///
/// @param seconds when each sample ended, since the start of the processes
/// @param busy of each core and sample, from 0 to 1; empty where `/proc` does not tell
record CoreLoad(List<Double> seconds, List<List<Double>> busy) {
    static final CoreLoad NONE = new CoreLoad(List.of(), List.of());

    CoreLoad {
        seconds = List.copyOf(seconds);
        busy = busy.stream().map(List::copyOf).toList();
    }
}
