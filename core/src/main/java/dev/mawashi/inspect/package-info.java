/// Reads what is in Redis for the command line and for what an operator does: figures, jobs,
/// failures, processes and what they run.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
