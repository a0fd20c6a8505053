/// Reads what is in Redis: the figures of the command line.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
