package dev.mawashi.redisfacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SlowCommandTest {
    private static String shown(String line) {
        return SlowCommand.shown(List.of(line.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "LPUSH queue:mail {\"class\":\"Mail\"}, lpush queue:mail",
        "ZADD retry 1 {\"class\":\"Mail\"}, zadd retry",
        "EVALSHA abc 2 mw:{queue:mail}:leases other, evalsha mw:{queue:mail}:leases",
        "LRANGE resque:queue:mail 0 -1, lrange resque:queue:mail",
        "SMEMBERS queues, smembers queues",
        "CONFIG GET save, config GET",
        "keys *, keys",
    })
    void commandsAndKeysOfJobsAreShown(String call, String shown) {
        assertThat(shown(call)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "GET session:5f0c1b7a, get",
        "SET password secret, set",
        "ECHO queue-of-secrets, echo",
        "AUTH secret, auth",
        "HELLO 3 AUTH user secret, hello",
        "EVAL return(1) 0 secret, eval",
        "CONFIG {secret}, config",
        "{secret} queue:mail, (unknown)",
    })
    void anythingElseMayBeASecret(String call, String shown) {
        assertThat(shown(call)).isEqualTo(shown);
    }

    @Test
    void whatIsLongIsCut() {
        assertThat(SlowCommand.shown(List.of("LPUSH", "queue:" + "q".repeat(500)))).hasSize(120);
        assertThat(SlowCommand.shown(List.of())).isEqualTo("(unknown)");
    }
}
