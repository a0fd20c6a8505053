/// Connections to Redis or Valkey: commands and scripts out, replies in. Knows no job. Only this
/// package sees the Redis library.
@NullMarked
package dev.mawashi.redis;

import org.jspecify.annotations.NullMarked;
