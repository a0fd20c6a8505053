/// Chooses the next queue and the number of jobs, and waits if there are none: queues in, `Lease`s
/// out.
@NullMarked
package dev.mawashi.fetch;

import org.jspecify.annotations.NullMarked;
