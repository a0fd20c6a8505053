package dev.mawashi.redis;

/// Failures for fakes of what talks to Redis.
public final class RedisFailures {
    private RedisFailures() {}

    public static RedisFailure notSent() {
        return RedisFailure.notSent("cannot reach redis", new IllegalStateException("test"));
    }

    public static RedisFailure unknown() {
        return RedisFailure.unknown("lost the connection", new IllegalStateException("test"));
    }

    public static RedisFailure refused(String reply) {
        return RedisFailure.refused(reply, new IllegalStateException("test"));
    }
}
