/// Jobs enqueued over HTTP, by programs in any language: reads a request for jobs strictly, and
/// enqueues all of them or none, once per idempotency key.
@NullMarked
package dev.mawashi.enqueue;

import org.jspecify.annotations.NullMarked;
