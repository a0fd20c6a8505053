/// Jobs at rest: where they wait, who holds them, and every move between those places on their way
/// from the push to the settlement. One `Broker` hands out a session a thread; each session has its
/// own connection. `RedisBroker` is the real one; `MemoryBroker`, for tests, keeps the same
/// promises without a server. What lies beside the jobs is in `tables`.
@NullMarked
package dev.mawashi.broker;

import org.jspecify.annotations.NullMarked;
