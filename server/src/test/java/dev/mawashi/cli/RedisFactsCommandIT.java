package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RedisFactsCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    @Test
    void tellsHowDurableFullAndFastRedisIs() {
        RIG.redis().call("SADD", "queues", "low\u001b[2J");
        RIG.redis().call("LPUSH", "queue:low\u001b[2J", "{}");

        assertThat(RIG.run("stats", "redis")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .contains("durability  grade D0", "to lose less: appendonly yes", "round trip")
                .contains("queue:low?[2J")
                .doesNotContain("\u001b");
        assertThat(RIG.run("stats", "redis", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .hasLineCount(1)
                .contains("\"grade\":\"D0\"", "\"ping_ms\":{\"min\":");
        assertThat(RIG.run("stats")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString()).contains("processed");
    }
}
