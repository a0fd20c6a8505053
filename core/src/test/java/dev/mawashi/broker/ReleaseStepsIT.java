package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many jobs of a living owner go back in steps: those that it releases, with the suspects that the
/// last owner leaves behind, and those that it requeues.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReleaseStepsIT extends HeldJobs {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    ReleaseStepsIT() {
        super(SERVER);
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @Test
    void aReleaseGivesAllBackAndTheSuspectsWithTheLastOwner() {
        hold("me", numbered(JOBS));
        for (String job : numbered(JOBS)) {
            redis.queue(words("LPUSH", "mw:{queue:q}:suspects", "suspect " + job));
            redis.queue(words("LPUSH", "mw:{queue:q}:arrivals", "arrived " + job));
        }
        redis.flush();
        redis.call("HSET", "mw:{queue:q}:alone", "id", "1");

        assertThat(leasing.release("me", QUEUES)).isEqualTo(JOBS);

        List<String> expected = new ArrayList<>();
        numbered(JOBS).forEach(job -> expected.add("suspect " + job));
        expected.addAll(numbered(JOBS));
        numbered(JOBS).forEach(job -> expected.add("arrived " + job));
        assertThat(queued()).isEqualTo(expected);
        assertThat((List<?>) redis.call("KEYS", "mw:*")).hasSize(1);
    }

    private static byte[][] words(String... words) {
        return Stream.of(words).map(RedisConnection::utf8).toArray(byte[][]::new);
    }

    @Test
    void suspectsGoBackAFewAtATime() {
        leasing.open("me", QUEUES, LONG);
        for (String job : numbered(JOBS)) {
            redis.queue(words("RPUSH", "mw:{queue:q}:suspects", job));
        }
        redis.flush();
        long scripts = scripts();

        leasing.release("me", QUEUES);

        // Three steps, what gives arrivals back, again before the other steps, and what forgets.
        assertThat(scripts() - scripts).isEqualTo(3 + 3);
        assertThat(places.queued("q")).hasSize(JOBS);
    }

    @Test
    void suspectsStayWhereAnotherOwnerIsLeft() {
        hold("me", List.of("1"));
        leasing.open("other", QUEUES, LONG);
        redis.call("LPUSH", "mw:{queue:q}:suspects", "suspect");

        assertThat(leasing.release("me", QUEUES)).isEqualTo(1);

        assertThat(queued()).containsExactly("1");
        assertThat(texts(places.suspects("q"))).containsExactly("suspect");
    }

    @Test
    void manyJobsAreRequeuedInTheirOrder() {
        List<String> mixed =
                IntStream.range(0, 2_500)
                        .mapToObj(i -> i % 500 == 7 ? i + "x".repeat(300 << 10) : "" + i)
                        .toList();
        List<Lease> leases = hold("me", mixed);
        try (Settling settling = broker.settling()) {
            List<Settled> all =
                    leases.stream().map(lease -> new Settled(lease, Settlement.REQUEUE)).toList();
            SettleReport report = settling.settle(all);
            assertThat(report.refused()).isEmpty();
            assertThat(report.late()).isZero();
        }

        assertThat(queued()).isEqualTo(mixed);
        assertThat(places.inFlight("q")).isEmpty();
    }
}
