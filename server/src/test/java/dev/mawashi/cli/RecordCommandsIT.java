package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What commands record of the changes that they make, how that is undone, and how jobs move to
/// another queue.
final class RecordCommandsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private static String job(String queue, int i) {
        return "{\"class\":\"A%d\",\"queue\":\"%s\",\"args\":[],\"jid\":\"j%d\"}"
                .formatted(i % 2, queue, i);
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    private String newest() {
        assertThat(run("audit", "--json", "--limit", "1")).isZero();
        Matcher id = Pattern.compile("\"id\":\"([0-9a-f]{16})\"").matcher(RIG.out().toString());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void whatACommandDeletesIsRecordedAndCanBeHadBackOnce() {
        redis.call("ZADD", "dead", "5", job("q", 1), "6", job("q", 2));
        assertThat(run("dead", "delete", "j1")).isZero();
        assertThat(run("audit")).isZero();
        assertThat(RIG.out().toString())
                .contains("command line", "delete", "dead", "done", "jid j1");

        String id = newest();
        assertThat(run("undo", id)).isZero();
        assertThat(RIG.out()).hasToString("1 job of dead was put back\n");
        assertThat(redis.call("ZSCORE", "dead", job("q", 1))).isNotNull();
        assertThat(run("undo", id)).isOne();
        assertThat(RIG.err().toString()).contains("nothing of it can be undone");
        assertThat(run("undo", "0000000000000000")).isOne();
        assertThat(RIG.err().toString()).contains("no change of late has the id");
        assertThat(run("audit", "--limit", "0")).isEqualTo(2);
    }

    @Test
    void aClearWhoseReplyIsLostIsReportedAsUncertainAndCanBeUndone() {
        redis.call("LPUSH", "queue:q", job("q", 1));
        redis.call("SADD", "queues", "q");
        try (FaultProxy proxy = new FaultProxy(RIG.address())) {
            for (int next = 1; Long.valueOf(1).equals(redis.call("LLEN", "queue:q")); next++) {
                proxy.cutAfterReplyBytes(proxy.bursts() + next, 0);
                String url = proxy.address().toString();
                assertThat(run("queues", "clear", "q", "--yes", "--redis", url)).isOne();
            }
        }

        assertThat(RIG.err().toString())
                .matches(
                        "mawashi: lost the connection to .*: it may be done, in part or in whole,"
                                + " see what is left with mawashi stats before you call it again\n");
        String id = newest();
        assertThat(RIG.out().toString())
                .contains("\"detail\":\"all; lost the connection to", "\"state\":\"failed\"");
        assertThat(run("undo", id)).isZero();
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(1L);
    }

    @Test
    void eachCommandThatChangesSomethingIsRecorded() {
        redis.call("LPUSH", "queue:q", job("q", 1));
        redis.call("SADD", "queues", "q");
        redis.call("ZADD", "retry", "5", job("q", 2));
        run("queues", "pause", "q");
        run("queues", "unpause", "q");
        run("retries", "requeue", "j2", "--to", "other");
        run("queues", "delete", "q", "j1");
        run("queues", "clear", "other", "--yes");
        run("dead", "clear", "--yes");
        run("cancel", "nobody");
        assertThat(run("audit", "--json")).isZero();
        for (String act : List.of("pause", "unpause", "requeue", "delete", "clear", "cancel")) {
            assertThat(RIG.out().toString()).contains("\"act\":\"" + act + "\"");
        }
        assertThat(RIG.out().toString().lines()).hasSize(7);
    }

    @Test
    void jobsMoveToAnotherQueueInTheirOrder() {
        for (int i = 0; i < 120; i++) {
            redis.call("LPUSH", "queue:q", job("q", i));
        }
        assertThat(run("queues", "move", "q", "other", "--class", "A1", "--yes")).isZero();
        assertThat(RIG.out()).hasToString("60 jobs of queue q were moved to other\n");
        List<?> moved =
                (List<?>) Objects.requireNonNull(redis.call("LRANGE", "queue:other", "0", "-1"));
        assertThat(text(moved.getLast())).isEqualTo(job("other", 1));
        assertThat(text(moved.getFirst())).isEqualTo(job("other", 119));
        assertThat(run("queues", "move", "q", "q", "--all")).isEqualTo(2);
        assertThat(run("queues", "move", "q", "other")).isEqualTo(2);
        assertThat(run("queues", "move", "q", "other", "--all")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("move 60 jobs of queue q to other");

        assertThat(run("undo", newest())).isZero();
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(120L);
    }
}
