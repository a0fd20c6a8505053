package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FailureSearchIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final JobQuery ALL = JobQuery.ALL;

    private final RedisConnection redis = SERVER.connect();
    private final FailureSearch search = new FailureSearch(redis, ResqueKeys.DEFAULT);

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void fill() {
        SERVER.flushAll();
        redis.call("SADD", "resque:failed_queues", "low_failed");
        for (int i = 0; i < 250; i++) {
            redis.call("RPUSH", "resque:failed", record("a" + i));
            redis.call("RPUSH", "resque:low_failed", record("b" + i));
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static String record(String error) {
        return "{\"payload\":{\"class\":\"A\",\"args\":[]},\"exception\":\"E\",\"error\":\""
                + error
                + "\",\"queue\":\"low\"}";
    }

    private static JobSearch.Limit limit(int most) {
        return new JobSearch.Limit(most, () -> false);
    }

    private List<String> all(JobQuery query, int most) {
        List<String> errors = new ArrayList<>();
        String place = "";
        do {
            FailureSearch.Part part = search.search(query, place, limit(most));
            part.found().forEach(failure -> errors.add(failure.text("error")));
            assertThat(part.found()).hasSizeLessThanOrEqualTo(most);
            assertThat(part.looked() == part.size()).isEqualTo(part.next().isEmpty());
            place = part.next();
        } while (!place.isEmpty());
        return errors;
    }

    @Test
    void partsGoThroughAllListsFromTheNewestRecord() {
        List<String> wanted =
                Stream.of("a", "b")
                        .flatMap(list -> IntStream.range(0, 250).mapToObj(i -> list + (249 - i)))
                        .toList();
        for (int most : List.of(1, 7, 250, 1_000)) {
            assertThat(all(ALL, most)).as("%d", most).isEqualTo(wanted);
        }
        assertThat(all(new JobQuery(Set.of(), "", "", "b24", ""), 3)).hasSize(11);
    }

    @Test
    void aLatePartSaysHowFarItIs() {
        FailureSearch.Part part =
                search.search(ALL, "100:low_failed", new JobSearch.Limit(50, () -> false));
        assertThat(part.looked()).isEqualTo(450);
        assertThat(part.size()).isEqualTo(500);
        assertThat(part.next()).isEqualTo("50:low_failed");
    }

    @Test
    void whatFailsMeanwhileShiftsNothing() {
        FailureSearch.Part first = search.search(ALL, "", limit(10));
        redis.call("RPUSH", "resque:failed", record("new"));
        FailureSearch.Part second = search.search(ALL, first.next(), limit(1));
        assertThat(second.found().getFirst().text("error")).isEqualTo("a239");
    }

    @Test
    void aPlaceInAListThatIsGoneIsTheEnd() {
        FailureSearch.Part part = search.search(ALL, "7:gone", limit(10));
        assertThat(part.found()).isEmpty();
        assertThat(part.next()).isEmpty();
    }
}
