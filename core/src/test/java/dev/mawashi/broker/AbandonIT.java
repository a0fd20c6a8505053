package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.redis.Script;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Claims whose replies were lost: they are given up, and Redis may run them only afterwards.
class AbandonIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String INFLIGHT = "mw:{queue:q}:inflight:a";
    private static final String SUSPECTS = "mw:{queue:q}:suspects";
    private static final String ALONE = "mw:{queue:q}:alone";

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void openLease() {
        SERVER.flushAll();
        try (Leasing leasing = broker.leasing()) {
            leasing.open("a", List.of("q"), Duration.ofMinutes(5));
        }
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return Objects.requireNonNullElse(redis.call(command), "nil");
        }
    }

    private static List<String> strings(Object reply) {
        List<String> all = new ArrayList<>();
        for (Object value : (List<?>) reply) {
            all.add(new String((byte[]) value, StandardCharsets.UTF_8));
        }
        return all;
    }

    private static String resource(String name) {
        return new String(Script.beside(Broker.class, name).source(), StandardCharsets.UTF_8);
    }

    private static void push(String... payloads) {
        for (String payload : payloads) {
            call("LPUSH", "queue:q", payload);
        }
    }

    private static List<String> queued() {
        return strings(call("LRANGE", "queue:q", "0", "-1")).reversed();
    }

    private List<Lease> claim(int most) {
        try (Claiming claiming = broker.claiming()) {
            return claiming.claim(List.of("q"), "a", most, 1_000).leases();
        }
    }

    private static List<String> texts(List<Lease> leases) {
        return leases.stream()
                .map(lease -> new String(lease.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void anAbandonedClaimGivesItsJobsBackAndCannotTakeAnyLater() {
        push("1", "2", "3");
        claim(2);
        List<String> tokens = strings(call("HKEYS", INFLIGHT)).stream().sorted().toList();
        String next = Long.toString(Long.parseLong(tokens.getLast()) + 1);

        assertThat(abandon(tokens.getFirst(), next)).isEqualTo(2L);

        assertThat(queued()).containsExactly("1", "2", "3");
        claimLate(tokens.getFirst());
        assertThat(queued()).containsExactly("1", "2", "3");
        assertThat(texts(claim(5))).containsExactly("1", "2", "3");
    }

    private static Object abandon(String firstToken, String nextToken) {
        return call(
                "EVAL",
                resource("abandon.lua"),
                "5",
                INFLIGHT,
                "queue:q",
                SUSPECTS,
                ALONE,
                "mw:{queue:q}:leases",
                firstToken,
                nextToken,
                "60",
                "a");
    }

    /// The claim would take nothing, and nobody would ever remove what is left there.
    @Test
    void withoutALeaseNothingIsLeftBehind() {
        push("1");
        call("DEL", "mw:{queue:q}:leases");

        abandon("10", "20");

        assertThat(call("EXISTS", INFLIGHT)).isEqualTo(0L);
        claimLate("10");
        assertThat(queued()).containsExactly("1");
    }

    /// Has Redis run, only now, a claim by owner `a` that was sent before.
    private void claimLate(String firstToken) {
        List<String> command = new ArrayList<>(List.of("EVAL", resource("claim.lua"), "5"));
        command.addAll(
                List.of(
                        "dead",
                        "queue:q",
                        "mw:{queue:q}:arrivals:a",
                        INFLIGHT,
                        "mw:{queue:q}:leases"));
        command.addAll(List.of("a", firstToken, "2", "1000", "1000", "60", "10", "f"));
        call(command.toArray(String[]::new));
    }

    @Test
    void theOlderOfTwoCapsulesAbandonedClaimsDoesNotLetTheNewerTakeJobsLater() {
        push("1");

        abandon("20", "30");
        abandon("10", "20");

        claimLate("20");
        assertThat(queued()).containsExactly("1");
    }

    @Test
    void anAbandonedSuspectIsStillASuspectAndTheNextToRunAlone() {
        push("1");
        call("RPUSH", SUSPECTS, "later", "next");
        try (Claiming claiming = broker.claiming()) {
            Lease suspect = claiming.claimSuspect(List.of("q"), "a").orElseThrow().lease();
            assertThat(texts(List.of(suspect))).containsExactly("next");
            String token = Long.toString(suspect.token());
            String after = Long.toString(suspect.token() + 1);

            assertThat(abandon(token, after)).isEqualTo(1L);

            assertThat(strings(call("LRANGE", SUSPECTS, "0", "-1")))
                    .containsExactly("later", "next");
            assertThat(queued()).containsExactly("1");
            assertThat(strings(call("HKEYS", INFLIGHT))).containsExactly("floor");
            claimSuspectLate(token);
            assertThat(strings(call("LRANGE", SUSPECTS, "0", "-1")))
                    .containsExactly("later", "next");
            assertThat(strings(call("HKEYS", INFLIGHT))).containsExactly("floor");
            assertThat(claiming.claimSuspect(List.of("q"), "a")).isPresent();
        }
    }

    @Test
    void anAbandonedSuspectKeepsItsCrashes() {
        push("1");
        call("RPUSH", SUSPECTS, "next");
        byte[] id = (byte[]) call("EVAL", "return redis.sha1hex('next')", "0");
        call("HSET", ALONE, new String(id, StandardCharsets.US_ASCII), "2");
        try (Claiming claiming = broker.claiming()) {
            Claiming.Suspect suspect = claiming.claimSuspect(List.of("q"), "a").orElseThrow();
            long token = suspect.lease().token();
            abandon(Long.toString(token), Long.toString(token + 1));

            assertThat(claiming.claimSuspect(List.of("q"), "a").orElseThrow().soloCrashes())
                    .isEqualTo(suspect.soloCrashes())
                    .isEqualTo(2);
            assertThat(call("EXISTS", ALONE)).isEqualTo(0L);
        }
    }

    /// Has Redis run, only now, a claim of a suspect by owner `a` that was sent before.
    private static void claimSuspectLate(String token) {
        call(
                "EVAL",
                resource("claim_suspect.lua"),
                "4",
                SUSPECTS,
                INFLIGHT,
                "mw:{queue:q}:leases",
                ALONE,
                "a",
                token);
    }
}
