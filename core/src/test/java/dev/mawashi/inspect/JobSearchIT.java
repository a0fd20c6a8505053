package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JobSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JobSearchIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobQuery TENTHS = new JobQuery(Set.of(), "Tenth", "", "", "");

    private final RedisConnection redis = SERVER.connect();
    private final JobSearch search = new JobSearch(redis);
    private final JobReader reader = new JobReader(redis);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void fill() {
        SERVER.flushAll();
        List<String> queue = new ArrayList<>(List.of("LPUSH", "queue:q"));
        List<String> set = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            String job =
                    "{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[]}"
                            .formatted(jid(i), i % 10 == 0 ? "Tenth" : "Other");
            // Five have each score.
            set.addAll(List.of((1_000 + i / 5) + ".5", job));
            queue.add(job);
        }
        redis.call(queue.toArray(String[]::new));
        for (JobSet each : JobSet.values()) {
            List<String> command = new ArrayList<>(List.of("ZADD", each.key()));
            command.addAll(set);
            redis.call(command.toArray(String[]::new));
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static List<String> jids(List<JobEntry> entries) {
        return entries.stream().map(entry -> entry.job().jid()).toList();
    }

    private static List<String> jids(IntStream numbers) {
        return numbers.mapToObj(JobSearchIT::jid).toList();
    }

    private static String jid(int number) {
        return String.format(Locale.ROOT, "%04d", number);
    }

    private static JobSearch.Limit limit(int most) {
        return new JobSearch.Limit(most, () -> false);
    }

    private static JobQuery due(int from, int to) {
        TimeRange range =
                new TimeRange(
                        Instant.ofEpochMilli(from * 1_000L), Instant.ofEpochMilli(to * 1_000L));
        return new JobQuery(Set.of(), "", "", "", "", "", TimeRange.ALL, range);
    }

    /// All parts of a search through a set.
    private List<String> all(JobSet set, JobQuery query, int most) {
        List<String> found = new ArrayList<>();
        String place = "";
        do {
            JobSearch.Part part = search.search(set, query, place, limit(most));
            assertThat(part.found()).hasSizeLessThanOrEqualTo(most);
            found.addAll(jids(part.found()));
            place = part.next();
        } while (!place.isEmpty());
        return found;
    }

    @ParameterizedTest
    @EnumSource(JobSet.class)
    void partsOfASearchThroughASetFindAllOnceAndInItsOrder(JobSet set) {
        List<String> wanted = new ArrayList<>(jids(IntStream.range(0, 250).map(i -> i * 10)));
        if (set == JobSet.DEAD) {
            wanted = wanted.reversed();
        }
        for (int most : List.of(1, 7, 1_000)) {
            assertThat(all(set, TENTHS, most)).as("%d", most).isEqualTo(wanted);
        }
        assertThat(all(set, JobQuery.ALL, 300)).hasSize(2_500).doesNotHaveDuplicates();
    }

    @Test
    void aPartThatIsLateEndsAfterAPageAndSaysHowFarItIs() {
        JobSearch.Part part =
                search.search(JobSet.RETRY, TENTHS, "", new JobSearch.Limit(1_000, () -> true));
        assertThat(part.found()).hasSize(10);
        assertThat(part.looked()).isEqualTo(100);
        assertThat(part.size()).isEqualTo(2_500);
        JobSearch.Part rest = search.search(JobSet.RETRY, TENTHS, part.next(), limit(1_000));
        assertThat(rest.found()).hasSize(240);
        assertThat(rest.looked()).isEqualTo(2_500);
        assertThat(rest.next()).isEmpty();
    }

    @Test
    void whatLeavesASetMeanwhileHidesNothing() {
        JobSearch.Part first = search.search(JobSet.RETRY, JobQuery.ALL, "", limit(1_000));
        redis.call("ZREMRANGEBYSCORE", "retry", "-inf", "1150");

        JobSearch.Part second =
                search.search(JobSet.RETRY, JobQuery.ALL, first.next(), limit(1_000));
        assertThat(jids(second.found())).isEqualTo(jids(IntStream.range(1_000, 2_000)));
    }

    @ParameterizedTest
    @EnumSource(JobSet.class)
    void ofARangeOfScoresNothingElseIsLookedAt(JobSet set) {
        List<String> wanted = jids(IntStream.range(500, 1_000));
        JobSearch.Part part = search.search(set, due(1_100, 1_200), "", limit(10));
        assertThat(part.size()).isEqualTo(500);
        assertThat(part.looked()).isEqualTo(10);
        assertThat(all(set, due(1_100, 1_200), 33))
                .isEqualTo(set == JobSet.DEAD ? wanted.reversed() : wanted);
        assertThat(all(set, due(9_000, 9_999), 33)).isEmpty();
        assertThat(all(set, due(1_200, 1_100), 33)).isEmpty();
        assertThat(reader.find(set, due(1_100, 1_200), 3, (_, _) -> 0).total()).isEqualTo(500);
    }

    @Test
    void scoresWithoutEndAreGoneThroughToo() {
        redis.call("ZADD", "dead", "inf", "{\"jid\":\"i\"}", "-inf", "{\"jid\":\"m\"}");
        redis.call("ZADD", "dead", "1e300", "{\"jid\":\"large\"}", "-3", "{\"jid\":\"below\"}");
        assertThat(all(JobSet.DEAD, JobQuery.ALL, 1)).hasSize(2_504).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "x", ":", "1:", "1 :1", "nan:1", "1:-1", "(1:1", "1:1:1"})
    void aPlaceThatIsNoneIsTheBeginning(String place) {
        assertThat(jids(search.search(JobSet.RETRY, JobQuery.ALL, place, limit(1)).found()))
                .containsExactly("0000");
    }

    @Test
    void aPlaceBeyondTheEndIsTheEnd() {
        JobSearch.Part part =
                search.search(JobSet.RETRY, TENTHS, "1000.5:999999999999999999", limit(1));
        assertThat(part.found()).isEmpty();
        assertThat(part.next()).isEmpty();
    }

    @Test
    void partsOfASearchThroughAQueueComeInItsOrder() {
        JobSearch.Part first = search.search("q", TENTHS, 0, limit(5));
        assertThat(jids(first.found())).containsExactly("0000", "0010", "0020", "0030", "0040");
        assertThat(first.looked()).isEqualTo(41);
        assertThat(first.next()).isEqualTo("41");

        JobSearch.Part rest = search.search("q", TENTHS, 41, limit(1_000));
        assertThat(jids(rest.found())).hasSize(245).startsWith("0050").endsWith("2490");
        assertThat(rest.next()).isEmpty();
        assertThat(rest.looked()).isEqualTo(2_500);
    }

    @Test
    void aPartEndsBeforeItsJobsAreTooManyBytes() {
        redis.call("DEL", "queue:q");
        for (int i = 0; i < 9; i++) {
            redis.call("LPUSH", "queue:q", "{\"jid\":\"" + "x".repeat(1 << 20) + "\"}");
        }
        JobSearch.Part part = search.search("q", JobQuery.ALL, 0, limit(1_000));
        assertThat(part.found()).hasSizeBetween(1, 5);
        assertThat(part.next()).isNotEmpty();
    }

    @Test
    void pagesOfASetAndOfAQueueBeginAnywhere() {
        assertThat(jids(reader.page(JobSet.RETRY, 10, 3))).containsExactly("0010", "0011", "0012");
        assertThat(jids(reader.page("q", 2_498, 5))).containsExactly("2498", "2499");
        assertThat(reader.page("q", 9_999, 5)).isEmpty();
        assertThat(reader.page("none", 0, 5)).isEmpty();
    }

    @Test
    void anEntryIsFoundByItsKey() {
        assertThat(reader.at(JobSet.RETRY, new EntryKey("1001.5", "0007"))).isPresent();
        assertThat(reader.at(JobSet.RETRY, new EntryKey("1001.5", "0004"))).isEmpty();
        assertThat(reader.at(JobSet.RETRY, "1001")).isEmpty();
    }

    @Test
    void nothingIsMissedWhileJobsBeforeComeAndGo() throws Exception {
        // The first of its score.
        EntryKey key = new EntryKey("1001.5", "0005");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread others =
                Thread.startVirtualThread(() -> {
                    try (RedisConnection own = SERVER.connect()) {
                        while (!isOver.get()) {
                            own.call("ZADD", "retry", "1", "{}");
                            own.call("ZREM", "retry", "{}");
                        }
                    }
                });
        try {
            for (int i = 0; i < 1_000; i++) {
                assertThat(reader.at(JobSet.RETRY, key)).isPresent();
            }
            for (int i = 0; i < 20; i++) {
                String place = "";
                List<String> found = new ArrayList<>();
                do {
                    JobSearch.Part part =
                            search.search(JobSet.RETRY, due(1_001, 1_100), place, limit(10));
                    found.addAll(jids(part.found()));
                    place = part.next();
                } while (!place.isEmpty());
                assertThat(found).isEqualTo(jids(IntStream.range(5, 500)));
            }
        } finally {
            isOver.set(true);
            others.join();
        }
    }
}
