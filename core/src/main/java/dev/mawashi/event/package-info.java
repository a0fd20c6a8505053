/// What happens, as values: what the log, the figures and later the page observe. Successes of
/// single jobs are counted, not published.
@NullMarked
package dev.mawashi.event;

import org.jspecify.annotations.NullMarked;
