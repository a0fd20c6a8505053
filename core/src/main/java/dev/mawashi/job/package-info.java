/// The vocabulary of a run: what came of it and what the job class asks for after a failure; and
/// what job classes in Java see of Mawashi. Imports nothing of ours, and every other package may
/// import it.
@NullMarked
package dev.mawashi.job;

import org.jspecify.annotations.NullMarked;
