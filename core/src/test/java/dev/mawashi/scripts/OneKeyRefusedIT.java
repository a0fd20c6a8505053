package dev.mawashi.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// A user who may call a command at some keys only, so that it is refused behind an earlier one.
class OneKeyRefusedIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();
    private static final RedisConnection LIMITED = SERVER.connect();

    @AfterAll
    static void stopServer() {
        REDIS.close();
        LIMITED.close();
        SERVER.close();
    }

    @Test
    void recoveryMakesNoSecondSuspectOfAJobWhoseQueueTakesNone() throws IOException {
        REDIS.call(
                "ACL",
                "SETUSER",
                "some",
                "reset",
                "on",
                "nopass",
                "~*",
                "&*",
                "+@all",
                "-rpush",
                "(+rpush ~suspects)");
        LIMITED.call("AUTH", "some", "any");
        ScriptText recover =
                ScriptText.all().stream()
                        .filter(text -> text.name().equals("recover.lua"))
                        .findFirst()
                        .orElseThrow();
        List<Start> starts =
                BrokerStarts.all().stream()
                        .filter(start -> start.script().equals(recover.name()))
                        .toList();
        for (Start start : starts) {
            Trial trial = new Trial(REDIS, LIMITED, recover.script(), start);
            var before = trial.counts();
            for (int i = 0; i < 3; i++) {
                assertThat(trial.call()).as("%s", trial).isPresent();
                assertThat(trial.counts()).as("%s", trial).isEqualTo(before);
            }
        }
    }
}
