/// Events as values, for the log and the figures. Successes of single jobs are counted, not
/// published.
@NullMarked
package dev.mawashi.event;

import org.jspecify.annotations.NullMarked;
