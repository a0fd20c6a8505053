/// Which queue next, how much of it, and waiting for work when there is none: queues in, `Lease`s
/// out.
@NullMarked
package dev.mawashi.fetch;

import org.jspecify.annotations.NullMarked;
