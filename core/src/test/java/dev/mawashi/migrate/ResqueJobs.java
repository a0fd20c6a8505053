package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.texts;

import dev.mawashi.redis.RedisConnection;
import java.util.List;
import java.util.stream.IntStream;

/// Jobs as Resque and its scheduler keep them.
final class ResqueJobs {
    private ResqueJobs() {}

    static String job(String name) {
        return "{\"class\":\"A\",\"args\":[\"" + name + "\"]}";
    }

    static List<String> many(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> job(name + i)).toList();
    }

    static List<String> list(RedisConnection redis, String list) {
        return texts(redis, "LRANGE", list, "0", "-1");
    }

    /// As resque-scheduler does.
    static void delay(RedisConnection redis, String second, List<String> jobs) {
        for (String job : jobs) {
            redis.call("RPUSH", "resque:delayed:" + second, job);
            redis.call("SADD", "resque:timestamps:" + job, "delayed:" + second);
            redis.call("ZADD", "resque:delayed_queue_schedule", second, second);
        }
    }
}
