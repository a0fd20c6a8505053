package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
        List<String> set = new ArrayList<>(List.of("ZADD", "retry"));
        List<String> queue = new ArrayList<>(List.of("LPUSH", "queue:q"));
        for (int i = 0; i < 2_500; i++) {
            String job =
                    "{\"class\":\"%s\",\"jid\":\"%d\",\"args\":[]}"
                            .formatted(i % 10 == 0 ? "Tenth" : "Other", i);
            set.addAll(List.of("" + (1_000 + i), job));
            queue.add(job);
        }
        redis.call(set.toArray(String[]::new));
        redis.call(queue.toArray(String[]::new));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static List<String> jids(List<JobEntry> entries) {
        return entries.stream().map(entry -> entry.job().jid()).toList();
    }

    @Test
    void partsOfASearchThroughASetFindAllOnce() {
        Set<String> found = new TreeSet<>();
        String cursor = "0";
        int parts = 0;
        long looked = 0;
        do {
            JobSearch.Part part = search.search(JobSet.RETRY, TENTHS, cursor, _ -> true);
            found.addAll(jids(part.found()));
            looked += part.looked();
            cursor = part.next();
            parts++;
        } while (!cursor.isEmpty());

        assertThat(found).hasSize(250);
        assertThat(looked).isGreaterThanOrEqualTo(2_500);
        assertThat(parts).isGreaterThan(10);
    }

    @Test
    void partsOfASearchThroughAQueueComeInItsOrder() {
        JobSearch.Part first = search.search("q", TENTHS, 0, found -> found >= 5);
        assertThat(jids(first.found())).hasSize(100).startsWith("0", "10", "20");
        assertThat(first.looked()).isEqualTo(1_000);
        assertThat(first.next()).isEqualTo("1000");

        JobSearch.Part rest = search.search("q", TENTHS, Long.parseLong(first.next()), _ -> false);
        assertThat(jids(rest.found())).hasSize(150).startsWith("1000").endsWith("2490");
        assertThat(rest.next()).isEmpty();
    }

    @Test
    void pagesOfASetAndOfAQueueBeginAnywhere() {
        assertThat(jids(reader.page(JobSet.RETRY, 10, 3))).containsExactly("10", "11", "12");
        assertThat(jids(reader.page("q", 2_498, 5))).containsExactly("2498", "2499");
        assertThat(reader.page("q", 9_999, 5)).isEmpty();
        assertThat(reader.page("none", 0, 5)).isEmpty();
    }

    @Test
    void anEntryIsFoundByItsScore() {
        assertThat(jids(reader.at(JobSet.RETRY, "1007"))).containsExactly("7");
        assertThat(reader.at(JobSet.RETRY, "1007.5")).isEmpty();
    }
}
