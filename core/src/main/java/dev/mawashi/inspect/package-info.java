/// Reads what is in Redis: the figures under the command line and later the page.
@NullMarked
package dev.mawashi.inspect;

import org.jspecify.annotations.NullMarked;
