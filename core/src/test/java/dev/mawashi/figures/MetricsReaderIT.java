package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mawashi.redis.FreshRedis;
import dev.mawashi.redis.RedisConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Keys as Sidekiq 7 and 8 spell them (docs/formats/sidekiq.md, "Metrics").
final class MetricsReaderIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");

    private final RedisConnection redis = REDIS.server().connect();
    private final MetricsReader reader = new MetricsReader(redis, InstantSource.fixed(NOW));

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void countsOfBothSidekiqsAreAddedUp() {
        redis.call("HSET", "j|250204|8:04", "A|p", "5", "A|f", "2", "A|ms", "90", "B::C|p", "1");
        redis.call("HSET", "j|20250204|8:3", "A|p", "7", "A|ms", "10", "odd", "1", "A|new", "9");
        redis.call("HSET", "j|250204|7:49", "A|p", "100");

        ClassTable table = reader.classes(Period.MINUTES_15);
        assertThat(table.classes())
                .extracting(ClassRuns::jobClass, ClassRuns::processed, ClassRuns::failed)
                .containsExactly(tuple("A", 12L, 2L), tuple("B::C", 1L, 0L));
        assertThat(table.classes().getFirst().millis()).isEqualTo(100);
        assertThat(table.steps()).hasSize(15);
        assertThat(table.steps().getLast()).isEqualTo(new ClassTable.Step(1_738_656_240, 6, 2));
        assertThat(table.isWhole()).isTrue();
    }

    @Test
    void runTimesOfBothAreAddedUp() {
        redis.call("HSET", "j|250204|8:04", "A|p", "5");
        redis.call("HSET", "j|20250204|8:3", "A|p", "7");
        redis.call("BITFIELD", "h|A-4-8:4", "SET", "u16", "#1", "5");
        redis.call("BITFIELD", "A-04-08:3", "SET", "u16", "#2", "7");

        ClassRuns one = reader.one("A", Period.HOUR);
        assertThat(one.times().counts().subList(0, 4)).containsExactly(0L, 5L, 7L, 0L);
        assertThat(one.bars()).hasSize(60).endsWith(7L, 5L);
        assertThat(reader.classes(Period.HOUR).classes().getFirst().times()).isEqualTo(one.times());
        assertThat(bars(Period.MINUTES_15)).hasSize(15).endsWith(7L, 5L);
        assertThat(bars(Period.HOUR)).hasSize(30).endsWith(0L, 12L);
    }

    /// Of the first class, among all.
    private List<Long> bars(Period period) {
        return reader.classes(period).classes().getFirst().bars();
    }

    @Test
    void threeDaysAreReadByTenMinutes() {
        redis.call("HSET", "j|250204|8:0", "A|p", "5");
        redis.call("HSET", "j|250202|8:1", "A|p", "7", "A|f", "7");

        assertThat(reader.classes(Period.DAYS_3).classes().getFirst().processed()).isEqualTo(12);
        assertThat(reader.classes(Period.DAY).classes().getFirst().processed()).isEqualTo(5);
        assertThat(reader.one("A", Period.DAYS_3).failed()).isEqualTo(7);
        assertThat(bars(Period.DAYS_3)).hasSize(27).endsWith(5L);
        assertThat(bars(Period.DAY)).hasSize(24).endsWith(5L);
    }

    @Test
    void runsThatNoRunnerOfOursCountsAreElsewhere() {
        redis.call("HSET", "j|250204|8:04", "A|p", "50", "A|f", "2", "B|p", "3");
        redis.call("HSET", "mw:runs|250204|8:04", "A|mri", "10", "A|fork", "20", "A|odd", "7");
        redis.call("HSET", "j|20250204|8:3", "A|p", "5");
        redis.call("HSET", "mw:runs|250204|8:03", "A|mri", "4", "B|java", "3", "Other|mri", "9");

        ClassTable table = reader.classes(Period.HOUR);
        List<ClassRuns.ByRunner> expected =
                List.of(
                        new ClassRuns.ByRunner("fork", 20),
                        new ClassRuns.ByRunner("mri", 14),
                        new ClassRuns.ByRunner("elsewhere", 21));
        assertThat(table.classes())
                .extracting(ClassRuns::jobClass, ClassRuns::byRunner)
                .containsExactly(
                        tuple("A", expected),
                        tuple("B", List.of(new ClassRuns.ByRunner("java", 3))));
        ClassRuns one = reader.one("A", Period.HOUR);
        assertThat(one.byRunner()).isEqualTo(expected);
        assertThat(one)
                .extracting(ClassRuns::processed, ClassRuns::failed)
                .containsExactly(55L, 2L);
    }

    @Test
    void runnersOfThreeDaysAreReadByTenMinutes() {
        redis.call("HSET", "j|250202|8:1", "A|p", "7");
        redis.call("HSET", "mw:runs|250202|8:1", "A|mri", "7");
        redis.call("HSET", "mw:runs|250204|8:04", "A|mri", "5");

        List<ClassRuns.ByRunner> expected = List.of(new ClassRuns.ByRunner("mri", 7));
        assertThat(reader.classes(Period.DAYS_3).classes().getFirst().byRunner())
                .isEqualTo(expected);
        assertThat(reader.one("A", Period.DAYS_3).byRunner()).isEqualTo(expected);
    }

    @Test
    void keysOfAWrongTypeAndNumbersThatAreNoneCountForNothing() {
        redis.call("SET", "j|250204|8:04", "x");
        redis.call("HSET", "j|250204|8:03", "A|p", "many", "A|f", "-1", "B|p", "2");
        redis.call("LPUSH", "h|B-4-8:3", "x");
        redis.call("SET", "mw:runs|250204|8:04", "x");
        redis.call("HSET", "mw:runs|250204|8:03", "B|mri", "many");

        assertThat(reader.classes(Period.HOUR).classes())
                .filteredOn(runs -> runs.processed() > 0)
                .extracting(ClassRuns::jobClass)
                .containsExactly("B");
    }

    @Test
    void ofMoreThanIsReadAtOnceTheOldestIsMissing() {
        for (int minute = 0; minute < 4; minute++) {
            manyClasses("j|250204|8:0" + minute);
        }

        ClassTable table = reader.classes(Period.MINUTES_15);
        assertThat(table.isWhole()).isFalse();
        assertThat(table.classes()).hasSize(MetricsReader.CLASSES_MAX);
        assertThat(table.classes().getFirst().processed()).isEqualTo(3);
    }

    private void manyClasses(String key) {
        String[] command = new String[2 + 2 * 50_000];
        command[0] = "HSET";
        command[1] = key;
        for (int i = 0; i < 50_000; i++) {
            command[2 + 2 * i] = "C" + i + "|p";
            command[3 + 2 * i] = "1";
        }
        redis.call(command);
    }

    @Test
    void whatEndedIsKnownFromTheFirstCountsToTheLastWholeMinute() {
        assertThat(reader.ended(Period.HOURS_8)).isEmpty();

        redis.call("HSET", "j|250204|8:04", "A|p", "5", "A|f", "2");
        redis.call("HSET", "j|20250204|8:3", "A|p", "7", "B|p", "1", "B|f", "1");
        redis.call("HSET", "j|250204|8:03", "B|p", "2");
        redis.call("HSET", "j|250204|8:01", "A|p", "9");
        assertThat(reader.ended(Period.HOURS_8))
                .containsExactly(
                        new ClassTable.Step(1_738_656_060, 9, 0),
                        new ClassTable.Step(1_738_656_120, 0, 0),
                        new ClassTable.Step(1_738_656_180, 10, 1));
    }

    @Test
    void aMinuteOfWhichNotAllFitsIsNotKnown() {
        manyClasses("j|250204|8:03");
        manyClasses("j|250204|8:02");
        manyClasses("j|20250204|8:2");
        manyClasses("j|250204|8:01");

        assertThat(reader.ended(Period.HOURS_8))
                .containsExactly(new ClassTable.Step(1_738_656_180, 50_000, 0));
    }
}
