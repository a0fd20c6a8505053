package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi queues --resque` as it is called, on a real Redis.
final class ResqueQueuesIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();

    @Test
    void resquesQueuesAreListedWithWhoServesThem() {
        redis.call("SADD", "resque:queues", "mail", "odd");
        redis.call("RPUSH", "resque:queue:mail", "{}", "{}");
        redis.call("SET", "resque:queue:odd", "x");
        redis.call("SADD", "resque:workers", "vm:1:mail", "vm:2:*");

        assertThat(RIG.run("queues", "--resque")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString().lines().map(line -> line.strip().split(" +")))
                .containsExactly(
                        new String[] {"queue", "waiting", "workers"},
                        new String[] {"mail", "2", "2"},
                        new String[] {"odd", "0", "1"});
        assertThat(RIG.err().toString()).contains("resque:queue:odd", "list");

        RIG.run("queues", "--resque", "--json");
        assertThat(RIG.out().toString())
                .isEqualTo(
                        """
                        {"name":"mail","size":2,"workers":2}
                        {"name":"odd","size":null,"workers":1}
                        """);
    }

    @Test
    void anotherNamespaceHasItsOwn() {
        redis.call("SADD", "app:queues", "low");
        RIG.run("queues", "--resque", "--resque-namespace", "app", "--json");
        assertThat(RIG.out().toString()).isEqualTo("{\"name\":\"low\",\"size\":0,\"workers\":0}\n");
        RIG.run("queues", "--resque");
        assertThat(RIG.err().toString()).contains("no queues");
    }

    @Test
    void aNamespaceOfSidekiqsIsRefused() {
        redis.call("SADD", "resque:queues", "low");

        assertThat(RIG.run("queues", "--resque", "--namespace", "myapp")).isEqualTo(Main.WRONG_USE);
        assertThat(RIG.err().toString())
                .isEqualTo(
                        "mawashi: --namespace is of Sidekiq's keys, and these jobs are Resque's:"
                                + " give none\n");
    }
}
