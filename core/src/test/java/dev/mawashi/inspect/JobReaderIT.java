package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JobSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobReader.Sink NOBODY = (_, _) -> 0;

    private final RedisConnection redis = SERVER.connect();
    private final JobReader reader = new JobReader(SERVER.connect());

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        reader.close();
        redis.close();
    }

    private static String job(int number) {
        String name = number % 10 == 0 ? "Tenth" : "Other";
        return "{\"class\":\"%s\",\"jid\":\"%s\",\"args\":[]}".formatted(name, number);
    }

    private void fill(String key, int jobs) {
        List<String> command = new ArrayList<>(List.of("ZADD", key));
        for (int i = 0; i < jobs; i++) {
            command.add(Integer.toString(1_000 + i));
            command.add(job(i));
        }
        redis.call(command.toArray(String[]::new));
    }

    /// Job 0 runs first.
    private void push(int from, int to) {
        List<String> command = new ArrayList<>(List.of("LPUSH", "queue:q"));
        for (int i = from; i < to; i++) {
            command.add(job(i));
        }
        redis.call(command.toArray(String[]::new));
    }

    private static List<String> jids(List<JobEntry> entries) {
        return entries.stream().map(entry -> entry.job().jid()).toList();
    }

    private static JobQuery tenth() {
        return new JobQuery(Set.of(), "Tenth", "", "", "");
    }

    @Test
    void setsAreListedByTheirScoresTheDeadNewestFirst() {
        fill("retry", 5);
        fill("dead", 5);

        assertThat(jids(reader.first(JobSet.RETRY, 3))).containsExactly("0", "1", "2");
        assertThat(jids(reader.first(JobSet.DEAD, 3))).containsExactly("4", "3", "2");
        assertThat(reader.first(JobSet.RETRY, 1).getFirst().at().orElseThrow().getEpochSecond())
                .isEqualTo(1_000);
        assertThat(reader.first(JobSet.SCHEDULE, 3)).isEmpty();
    }

    @Test
    void aSearchOfALargeSetFindsTheFirstAndCountsAll() {
        fill("schedule", 5_000);
        fill("dead", 5_000);

        JobReader.Found due = reader.find(JobSet.SCHEDULE, tenth(), 3, NOBODY);
        JobReader.Found dead = reader.find(JobSet.DEAD, tenth(), 3, NOBODY);

        assertThat(jids(due.first())).containsExactly("0", "10", "20");
        assertThat(due.total()).isEqualTo(500);
        assertThat(jids(dead.first())).containsExactly("4990", "4980", "4970");
    }

    @Test
    void aSearchGoesThroughASetInPages() {
        fill("dead", 5_000);
        List<Long> looks = new ArrayList<>();

        reader.scan(
                JobSet.DEAD,
                JobQuery.ALL,
                (_, looked) -> {
                    looks.add(looked);
                    return 0;
                });

        assertThat(looks).hasSizeGreaterThan(4).isSorted();
        assertThat(looks.getLast()).isEqualTo(5_000);
    }

    @Test
    void oddScoresAndPayloadsAreListedToo() {
        redis.call("ZADD", "dead", "inf", "no json", "-5", "{}", "1e300", "[1]");

        List<JobEntry> entries = reader.first(JobSet.DEAD, 10);

        assertThat(entries).hasSize(3).allMatch(entry -> entry.at().isEmpty());
        assertThat(entries.getFirst().job().problem()).isNotNull();
    }

    @Test
    void aQueueIsListedFromTheNextToRun() {
        push(0, 30);

        assertThat(jids(reader.first("q", 3))).containsExactly("0", "1", "2");
        JobReader.Found found = reader.find("q", tenth(), 2, NOBODY);
        assertThat(jids(found.first())).containsExactly("0", "10");
        assertThat(found.total()).isEqualTo(3);
    }

    @Test
    void jobsThatComeAndGoDuringASearchHideNoOther() {
        push(0, 3_500);
        Set<String> seen = new HashSet<>();
        List<String> all = new ArrayList<>();
        int[] page = {0};

        reader.scan(
                "q",
                JobQuery.ALL,
                (found, _) -> {
                    jids(found)
                            .forEach(jid -> {
                                seen.add(jid);
                                all.add(jid);
                            });
                    if (page[0]++ == 0) {
                        push(10_000, 10_200);
                        redis.call("RPOP", "queue:q", "100");
                    }
                    return 0;
                });

        Set<String> stayed = new TreeSet<>();
        for (int i = 100; i < 3_500; i++) {
            stayed.add(Integer.toString(i));
        }
        assertThat(seen).containsAll(stayed);
        assertThat(all).doesNotHaveDuplicates();
    }

    /// As Resque's may be, which have no id.
    @Test
    void jobsOfTheSameBytesAreAllFound() {
        push(0, 700);
        for (int i = 0; i < 2_500; i++) {
            redis.call("LPUSH", "queue:q", "{\"jid\":\"same\"}");
        }
        push(700, 1_800);
        redis.call("LPUSH", "queue:q", "{\"jid\":\"1700\"}");

        JobReader.Found found = reader.find("q", JobQuery.ALL, 1, (_, _) -> 0);

        assertThat(found.total()).isEqualTo(700 + 2_500 + 1_100 + 1);
    }

    @Test
    void aPageThatIsRemovedFromHidesNoOther() {
        push(0, 2_500);
        Set<String> seen = new HashSet<>();

        reader.scan(
                "q",
                JobQuery.ALL,
                (found, _) -> {
                    seen.addAll(jids(found));
                    int removed = 0;
                    for (JobEntry entry : found) {
                        removed += entry.job().jid().endsWith("7") ? remove(entry) : 0;
                    }
                    return removed;
                });

        assertThat(seen).hasSize(2_500);
        assertThat(redis.call("LLEN", "queue:q")).isEqualTo(2_250L);
    }

    private int remove(JobEntry entry) {
        redis.call("LREM", "queue:q", "1", entry.job().raw());
        return 1;
    }

    /// Redis cuts the connection of a client that has it hold more of a reply.
    @Test
    void noReplyIsLargeWhateverTheJobsAre() {
        String limit = "client-output-buffer-limit";
        String large = "{\"class\":\"Large\",\"jid\":\"%s\",\"args\":[\"" + "x".repeat(1 << 20);
        for (int i = 0; i < 30; i++) {
            redis.call("ZADD", "retry", "" + i, large.formatted(i) + "\"]}");
            redis.call("LPUSH", "queue:q", large.formatted(i) + "\"]}");
        }
        redis.call("CONFIG", "SET", limit, "normal 10mb 0 0");
        try {
            assertThat(jids(reader.first(JobSet.RETRY, 25)))
                    .hasSizeBetween(8, 12)
                    .startsWith("0", "1", "2");
            assertThat(jids(reader.first("q", 25))).hasSizeBetween(8, 12).startsWith("0", "1", "2");
            assertThat(found(tenth())).isZero();
            assertThat(found(JobQuery.ALL)).isEqualTo(60);
        } finally {
            redis.call("CONFIG", "SET", limit, "normal 0 0 0");
        }
    }

    private long found(JobQuery query) {
        return reader.find(JobSet.RETRY, query, 5, NOBODY).total()
                + reader.find("q", query, 5, NOBODY).total();
    }

    /// What a list shows has to fit into the process that shows it.
    @Test
    void aListOfLargeJobsEndsEarly() {
        for (int i = 0; i < 10; i++) {
            redis.call("ZADD", "dead", "" + i, i + "x".repeat(15 << 20));
            redis.call("ZADD", "retry", "" + i, i + "x".repeat(3 << 20));
        }

        assertThat(reader.first(JobSet.DEAD, 25)).hasSize(1);
        assertThat(reader.first(JobSet.RETRY, 2)).hasSize(2);
    }
}
