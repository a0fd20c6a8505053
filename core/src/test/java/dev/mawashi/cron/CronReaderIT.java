package dev.mawashi.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.List;
import org.junit.jupiter.api.Test;

class CronReaderIT {
    private static final String SCHEDULE =
            "{\"name\":\"%s\",\"cron\":\"%s\",\"zone\":\"UTC\",\"class\":\"A\",\"queue\":\"q\","
                    + "\"args\":%s,\"missed\":\"one\"}";

    @Test
    void aDamagedEntryHidesNoOther() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect();
                CronReader reader = new CronReader(server.connect())) {
            List.of("list", "text", "none", "some")
                    .forEach(file -> redis.call("ZADD", "mw:cron:files", "1", file));
            redis.call("RPUSH", "mw:cron:file:list", "[]");
            redis.call("SET", "mw:cron:file:text", "[{");
            redis.call(
                    "SET",
                    "mw:cron:file:some",
                    "[1,{},"
                            + SCHEDULE.formatted("line", "61 * * * *", "[]")
                            + ","
                            + SCHEDULE.formatted("args", "@daily", "{}")
                            + ","
                            + SCHEDULE.formatted("deep", "@daily", "[".repeat(98) + "]".repeat(98))
                            + ","
                            + SCHEDULE.formatted("good", "@daily", "[1]")
                            + ","
                            + SCHEDULE.formatted("other", "@daily", "[]")
                            + "]");
            redis.call("SET", "mw:cron:runs:good", "text");
            redis.call("RPUSH", "mw:cron:runs:other", "{", "7");

            assertThat(reader.all())
                    .extracting(view -> view.schedule().name())
                    .containsExactly("good", "other");
            assertThat(reader.one("good").orElseThrow().runs()).isEmpty();
            assertThat(reader.one("good").orElseThrow().next()).hasSize(CronReader.NEXT_MAX);
            assertThat(reader.one("other").orElseThrow().json().toString()).contains("runs");
            assertThat(reader.one("args")).isEmpty();
        }
    }
}
