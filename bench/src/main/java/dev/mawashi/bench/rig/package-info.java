/// The things that a benchmark runs, servers, peers, Redis and jobs, and the readings of time, CPU
/// and memory. Commands set the runs up; each run hands on a `Run`, which `report` shows.
@NullMarked
package dev.mawashi.bench.rig;

import org.jspecify.annotations.NullMarked;
