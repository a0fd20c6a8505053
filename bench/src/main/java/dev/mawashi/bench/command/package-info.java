/// The commands of `./mawashi bench`. The file benchmarks.txt is the table of them, with their
/// flags and texts; `Main` says how each is measured. A benchmark lets contestants of `rig` run in
/// turn, and fills in the `Figures` that `report` shows.
@NullMarked
package dev.mawashi.bench.command;

import org.jspecify.annotations.NullMarked;
