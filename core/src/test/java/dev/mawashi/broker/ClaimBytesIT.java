package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.QueueLayout;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A claim keeps to its bytes whatever the sizes of payloads and their order, on either side.
class ClaimBytesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int BYTES_MAX = 1_000_000;
    private static final List<String> QUEUES = List.of("q");

    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    static List<QueueLayout> layouts() {
        return List.of(QueueLayout.SIDEKIQ, ResqueKeys.DEFAULT.layout());
    }

    private void push(QueueLayout layout, List<Integer> sizes) {
        String side = layout.nextIsLeft() ? "RPUSH" : "LPUSH";
        for (int i = 0; i < sizes.size(); i++) {
            byte[] payload = ("" + i).repeat(1 + sizes.get(i)).getBytes(StandardCharsets.UTF_8);
            redis.call(RedisConnection.ascii(side), queue(layout), payload);
        }
    }

    private static byte[] queue(QueueLayout layout) {
        return RedisConnection.utf8(layout.queue("q"));
    }

    /// Claims until nothing is left.
    private List<List<Lease>> claims(QueueLayout layout, int most) {
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, layout);
        List<List<Lease>> claims = new ArrayList<>();
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open("me", QUEUES, Duration.ofMinutes(5));
            List<Lease> claimed = claiming.claim(QUEUES, "me", most, BYTES_MAX).leases();
            while (!claimed.isEmpty()) {
                claims.add(claimed);
                claimed = claiming.claim(QUEUES, "me", most, BYTES_MAX).leases();
            }
        }
        assertThat((Long) Objects.requireNonNull(redis.call("LLEN", layout.queue("q")))).isZero();
        return claims;
    }

    private void assertBoundedAndInOrder(QueueLayout layout, List<Integer> sizes) {
        push(layout, sizes);
        List<List<Lease>> claims = claims(layout, 100);
        assertThat(claims)
                .allSatisfy(one -> {
                    int bytes = one.stream().mapToInt(lease -> lease.payload().length).sum();
                    assertThat(one.size() == 1 || bytes <= BYTES_MAX).isTrue();
                });
        List<Integer> lengths =
                claims.stream().flatMap(List::stream).map(lease -> lease.payload().length).toList();
        assertThat(lengths)
                .containsExactlyElementsOf(
                        IntStream.range(0, sizes.size())
                                .map(i -> ("" + i).length() * (1 + sizes.get(i)))
                                .boxed()
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void manyLargeOnes(QueueLayout layout) {
        assertBoundedAndInOrder(layout, IntStream.range(0, 30).mapToObj(_ -> 300_000).toList());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void largeOnesAfterSmallOnes(QueueLayout layout) {
        assertBoundedAndInOrder(
                layout, IntStream.range(0, 60).mapToObj(i -> i < 25 ? i : 400_000).toList());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void largeOnesAmongSmallOnes(QueueLayout layout) {
        assertBoundedAndInOrder(
                layout,
                IntStream.range(0, 200).mapToObj(i -> i % 7 == 3 ? 600_000 : 100 + i).toList());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void oneThatIsLargerThanAClaimIsTakenAlone(QueueLayout layout) {
        assertBoundedAndInOrder(layout, List.of(2_000_000, 10, 2_000_000, 2_000_000, 10));
    }
}
