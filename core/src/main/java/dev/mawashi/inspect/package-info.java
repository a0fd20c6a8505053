/// Reads what is in Redis: figures, jobs, failures, processes and what they run. The command line,
/// the page, its API and what an operator does show and choose by it.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
