package dev.mawashi.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A look at what is due keeps to its bytes, in what it gives and in what it reads for that.
class LookBytesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final int BYTES_MAX = 100_000;

    /// `read_some` of entries that it makes up.
    private static final String COUNTED =
            """

            local bytes, commands = 0, 0
            local found = read_some(function(first, count)
              local entries = {}
              for i = first + 1, math.min(first + count, #ARGV - 1) do
                entries[#entries + 1] = string.rep('x', ARGV[i + 1])
                bytes = bytes + ARGV[i + 1]
              end
              commands = commands + 1
              return entries
            end, 100, tonumber(ARGV[1]))
            return { #found, bytes, commands }
            """;

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
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

    private void schedule(int count, int bytes, int from) {
        for (int i = from; i < from + count; i++) {
            redis.call("ZADD", "schedule", "" + i, i + "x".repeat(bytes));
        }
    }

    private List<Integer> seen() {
        try (Scheduling scheduling = broker.scheduling()) {
            return scheduling.due(100, BYTES_MAX).entries().stream()
                    .map(entry ->
                            Integer.parseInt(new String(entry.payload(), UTF_8).replace("x", "")))
                    .toList();
        }
    }

    @Test
    void oneIsSeenWhateverItsSize() {
        schedule(3, 1_000_000, 1);

        assertThat(seen()).containsExactly(1);
    }

    @Test
    void manySmallOnesAreSeenInTheirOrder() {
        schedule(150, 10, 1);

        assertThat(seen()).hasSize(100).isSorted().startsWith(1).endsWith(100);
    }

    @Test
    void largeOnesAfterSmallOnesAreLeftForLater() {
        schedule(20, 10, 1);
        schedule(80, 60_000, 21);

        assertThat(seen()).hasSizeBetween(20, 21).startsWith(1, 2, 3);
    }

    @Test
    void ofLargeOnesAsManyAreSeenAsFit() {
        schedule(30, 30_000, 1);

        assertThat(seen()).containsExactly(1, 2, 3);
    }

    @Test
    void delayedJobsAreReadSoToo() {
        ResqueKeys keys = ResqueKeys.DEFAULT;
        for (int i = 0; i < 30; i++) {
            redis.call("RPUSH", keys.delayed("7"), i + "x".repeat(30_000));
        }
        try (DelayedJobs delayed = broker.delayedJobs(keys, "lock")) {
            assertThat(delayed.first("7", 100, BYTES_MAX)).hasSize(3);
        }
    }

    /// Reads entries of these sizes, and tells how many it gives, how many bytes it read and in how
    /// many commands.
    private Look look(int... sizes) throws IOException {
        String script;
        try (InputStream file = LookBytesIT.class.getResourceAsStream("read_some.lua")) {
            script = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
        }
        List<String> command = new ArrayList<>(List.of("EVAL", script + COUNTED, "0"));
        command.add("" + BYTES_MAX);
        IntStream.of(sizes).forEach(size -> command.add("" + size));
        Object reply = redis.call(command.toArray(String[]::new));
        List<?> counts = (List<?>) Objects.requireNonNull(reply);
        return new Look((Long) counts.get(0), (Long) counts.get(1), (Long) counts.get(2));
    }

    private record Look(long given, long bytes, long commands) {}

    private static int[] sizes(int... countsAndSizes) {
        return IntStream.range(0, countsAndSizes.length / 2)
                .flatMap(i ->
                        IntStream.generate(() -> countsAndSizes[2 * i + 1])
                                .limit(countsAndSizes[2 * i]))
                .toArray();
    }

    @Test
    void nothingIsReadAfterOneThatIsTooLarge() throws IOException {
        assertThat(look(sizes(3, 1_000_000))).isEqualTo(new Look(1, 1_000_000, 1));
    }

    @Test
    void manySmallOnesAreReadTogether() throws IOException {
        Look look = look(sizes(150, 10));

        assertThat(look.given()).isEqualTo(100);
        assertThat(look.commands()).isLessThanOrEqualTo(3);
    }

    @Test
    void littleIsReadOfLargeOnesWhateverComesLast() throws IOException {
        Look look = look(sizes(99, 30_000, 1, 10));

        assertThat(look.given()).isEqualTo(3);
        assertThat(look.bytes()).isLessThan(2 * BYTES_MAX);
    }

    /// Each small one has the last one looked at.
    @Test
    void largeOnesAfterSmallOnesAreNotRead() throws IOException {
        Look look = look(sizes(20, 10, 80, 60_000));

        assertThat(look.given()).isBetween(20L, 21L);
        assertThat(look.bytes()).isLessThan(25 * 60_000);
    }
}
