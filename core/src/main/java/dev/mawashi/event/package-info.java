/// What happens, as values: what the log and the figures observe. Successes of single jobs are
/// counted, not published.
@NullMarked
package dev.mawashi.event;

import org.jspecify.annotations.NullMarked;
