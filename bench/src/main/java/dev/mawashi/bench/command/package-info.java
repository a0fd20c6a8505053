/// The commands of `./mawashi bench`: one class a benchmark. It checks its flags, lets contestants
/// of `rig` run in turn, and fills in the `Figures` that `report` shows.
@NullMarked
package dev.mawashi.bench.command;

import org.jspecify.annotations.NullMarked;
