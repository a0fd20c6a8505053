/// The settlement of a run: an `Outcome` and the payload decide the `Settlement`, and one thread
/// sends whatever settlements have gathered to the broker in one round trip.
@NullMarked
package dev.mawashi.settle;

import org.jspecify.annotations.NullMarked;
