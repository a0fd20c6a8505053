/// A Redis as its operator wants to know it: how durable it is, what it holds, how fast it is; read
/// from what it says of itself, and as JSON.
@NullMarked
package dev.mawashi.redisfacts;

import org.jspecify.annotations.NullMarked;
