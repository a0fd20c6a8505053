/// Says how many processes the queues need: reads what serves them and what waits, and computes one
/// number with its reason. It keeps nothing.
@NullMarked
package dev.mawashi.sizing;

import org.jspecify.annotations.NullMarked;
