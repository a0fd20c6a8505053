package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The contract on Resque's queues in a real Redis, and what only they have.
@Tag("stack")
class ResqueBrokerIT extends RedisBrokerContract {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();
    private static final ResqueKeys KEYS = new ResqueKeys("resque");
    private static final String WORKER = "mawashi@host:1:q";

    ResqueBrokerIT() {
        super(REDIS, SERVER.address(), KEYS.layout(), "");
    }

    @AfterAll
    static void stopServer() {
        REDIS.close();
        SERVER.close();
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return Objects.requireNonNullElse(redis.call(command), "nil");
        }
    }

    private static List<String> list(String... command) {
        List<String> all = new ArrayList<>();
        for (Object value : (List<?>) call(command)) {
            all.add(new String((byte[]) value, StandardCharsets.UTF_8));
        }
        return all;
    }

    private static String text(String key) {
        return call("GET", key) instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : "nil";
    }

    private static Settlement.Fail failure(String record, boolean isPerQueue) {
        return new Settlement.Fail(bytes(record), new FailurePlace(KEYS, isPerQueue, WORKER));
    }

    @Test
    void aFailedJobGoesToTheEndOfTheFailureListAndIsCounted() {
        open("a", "q");
        push("q", "1", "2");
        List<Lease> leases = claim("a", 2, "q");

        settle(leases.subList(0, 1), failure("f1", false));
        settle(leases.subList(1, 2), failure("f2", false));

        assertThat(list("LRANGE", "resque:failed", "0", "-1")).containsExactly("f1", "f2");
        assertThat(text("resque:stat:failed")).isEqualTo("2");
        assertThat(text("resque:stat:failed:" + WORKER)).isEqualTo("2");
        assertThat(call("EXISTS", "resque:failed_queues")).isEqualTo(0L);
        assertThat(release("a", "q")).isZero();
    }

    @Test
    void aQueueMayHaveAFailureListOfItsOwn() {
        open("a", "q");
        push("q", "1");

        settle(claim("a", 1, "q"), failure("f1", true));

        assertThat(list("LRANGE", "resque:q_failed", "0", "-1")).containsExactly("f1");
        assertThat(list("SMEMBERS", "resque:failed_queues")).containsExactly("q_failed");
        assertThat(call("EXISTS", "resque:failed")).isEqualTo(0L);
    }

    @Test
    void aJobFailsOnceHoweverOftenThatIsSettled() {
        open("a", "q");
        push("q", "1");
        List<Lease> leases = claim("a", 1, "q");

        assertThat(settle(leases, failure("f1", false)).late()).isZero();
        assertThat(settle(leases, failure("f1", false)).late()).isEqualTo(1);

        assertThat(list("LRANGE", "resque:failed", "0", "-1")).containsExactly("f1");
        assertThat(text("resque:stat:failed")).isEqualTo("1");
    }

    @Test
    void aFailureListOfAWrongTypeLeavesTheJobInFlight() {
        open("a", "q");
        push("q", "1");
        call("SET", "resque:failed", "no list");

        SettleReport report = settle(claim("a", 1, "q"), failure("f1", false));

        assertThat(report.refused()).hasSize(1);
        assertThat(text("resque:stat:failed")).isEqualTo("nil");
        assertThat(release("a", "q")).isEqualTo(1);
        assertThat(queued("q")).containsExactly("1");
    }

    @Test
    void aFailureOutlivesCountersOfAWrongType() {
        open("a", "q");
        push("q", "1");
        call("SADD", "resque:stat:failed", "no number");

        assertThat(settle(claim("a", 1, "q"), failure("f1", false)).refused()).isEmpty();

        assertThat(list("LRANGE", "resque:failed", "0", "-1")).containsExactly("f1");
        assertThat(release("a", "q")).isZero();
    }

    @Test
    void aSidekiqQueueOfTheSameNameHasNothingInCommon() {
        RedisBroker sidekiqs = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        open("a", "q");
        push("q", "resque's");
        try (Leasing leasing = sidekiqs.leasing();
                Enqueuing enqueuing = sidekiqs.enqueuing();
                Claiming claiming = sidekiqs.claiming()) {
            leasing.open("a", List.of("q"), java.time.Duration.ofMinutes(5));
            enqueuing.push("q", List.of(bytes("sidekiq's")));
            enqueuing.flush();

            assertThat(texts(claim("a", 9, "q"))).containsExactly("resque's");
            assertThat(texts(claiming.claim(List.of("q"), "a", 9, 100).leases()))
                    .containsExactly("sidekiq's");
            assertThat(leasing.release("a", List.of("q"))).isEqualTo(1);
        }
        assertThat(list("SMEMBERS", "mw:queues")).isEmpty();
        assertThat(list("SMEMBERS", "mw:{resque}:queues")).containsExactly("q");
        assertThat(list("LRANGE", "queue:q", "0", "-1")).containsExactly("sidekiq's");
        assertThat(queued("q")).isEmpty();
        assertThat(release("a", "q")).isEqualTo(1);
        assertThat(queued("q")).containsExactly("resque's");
    }

    private int release(String owner, String queue) {
        try (Leasing leasing = broker.leasing()) {
            return leasing.release(owner, List.of(queue));
        }
    }
}
