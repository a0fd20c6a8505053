/// Jobs at rest: where they wait, who holds them, and every move between those places. One `Broker`
/// hands out a session a thread; each session has its own connection. `RedisBroker` is the real
/// one, `MemoryBroker` keeps the same promises without a server. All of our Lua is here.
@NullMarked
package dev.mawashi.broker;

import org.jspecify.annotations.NullMarked;
