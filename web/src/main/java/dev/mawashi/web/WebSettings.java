package dev.mawashi.web;

import dev.mawashi.http.Access;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.wire.ResqueKeys;

/// Settings of the page before its start.
///
/// @param access where to listen, and for whom
/// @param redis where the jobs are; it need not be there
/// @param resque where Resque's keys are in it
/// @param version of Mawashi, for the pages' foot
public record WebSettings(Access access, RedisAddress redis, ResqueKeys resque, String version) {}
