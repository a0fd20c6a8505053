/// The vocabulary of a run: what came of it and what the job class asks for after a failure. Pure
/// data; imports nothing of ours, and every other package may import it.
@NullMarked
package dev.mawashi.job;

import org.jspecify.annotations.NullMarked;
