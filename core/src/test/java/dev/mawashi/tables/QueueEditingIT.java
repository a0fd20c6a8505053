package dev.mawashi.tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Jobs are taken out of a queue that has changed since they were read.
class QueueEditingIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final QueueEditing editing = new QueueEditing(SERVER.connect());

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
        editing.close();
        redis.close();
    }

    private void push(String... jobs) {
        for (String job : jobs) {
            redis.call("LPUSH", "queue:q", job);
        }
    }

    private List<String> all(String key) {
        List<?> reply = (List<?>) Objects.requireNonNull(redis.call("LRANGE", key, "0", "-1"));
        return reply.stream().map(one -> new String((byte[]) one, UTF_8)).toList();
    }

    private static QueueEditing.Waiting waiting(String job, long place) {
        return new QueueEditing.Waiting(job.getBytes(UTF_8), place);
    }

    private int delete(QueueEditing.Waiting... jobs) {
        return editing.delete("q", List.of(jobs), Keeping.nothing());
    }

    private static String[] numbered(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toArray(String[]::new);
    }

    @Test
    void jobsAreFoundWhereTheyStood() {
        push("e", "d", "c", "b", "a");
        assertThat(delete(waiting("b", 1), waiting("d", 3))).isEqualTo(2);
        assertThat(all("queue:q")).containsExactly("a", "c", "e");
        assertThat(delete(waiting("e", -1), waiting("a", -3))).isEqualTo(2);
        assertThat(all("queue:q")).containsExactly("c");
        assertThat(delete(waiting("a", 0), waiting("c", 0))).isEqualTo(1);
        assertThat(delete()).isZero();
        assertThat(all("queue:q")).isEmpty();
    }

    @Test
    void jobsThatOthersCameBeforeAreFound() {
        push("e", "d", "c", "b", "a");
        for (int count : List.of(1, 40, 700, 3_000)) {
            push(numbered("new" + count, count));
        }
        assertThat(delete(waiting("a", 0), waiting("d", 3))).isEqualTo(2);
        assertThat(all("queue:q")).hasSize(3_744).endsWith("b", "c", "e");
    }

    @Test
    void jobsBehindWhichOthersRanAreFound() {
        push(numbered("ran", 900));
        push("b", "a");
        redis.call("RPOP", "queue:q", "890");
        assertThat(delete(waiting("ran899", -900), waiting("b", -901), waiting("a", -902)))
                .isEqualTo(3);
        assertThat(all("queue:q")).hasSize(9).doesNotContain("a", "b", "ran899");
    }

    @Test
    void jobsThatAreGoneAreNotCounted() {
        push("e", "d", "c", "b", "a");
        redis.call("RPOP", "queue:q", "2");
        assertThat(delete(waiting("c", 2), waiting("d", 3), waiting("e", 4))).isEqualTo(1);
        assertThat(all("queue:q")).containsExactly("a", "b");
        assertThat(delete(waiting("e", -1), waiting("d", -2), waiting("b", -4))).isEqualTo(1);
        assertThat(all("queue:q")).containsExactly("a");
    }

    /// Workers take the next to run, and others delete some in the middle.
    @Test
    void jobsThatAreGoneCostOneLookTogether() {
        push(numbered("job", 3_000));
        List<QueueEditing.Waiting> next = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            next.add(waiting("job" + i, -1 - i));
        }
        redis.call("RPOP", "queue:q", "200");
        for (int i = 200; i < 500; i += 3) {
            redis.call("LREM", "queue:q", "-1", "job" + i);
        }
        redis.call("CONFIG", "RESETSTAT");
        assertThat(editing.delete("q", next, Keeping.nothing())).isEqualTo(200);
        assertThat(calls("evalsha") + calls("eval")).isLessThanOrEqualTo(2);
        // Of those that are there one to find and one to mark each.
        assertThat(calls("lindex") + calls("lset") + calls("lrange")).isLessThan(1_200);
        assertThat(calls("lpos")).isZero();
        assertThat(all("queue:q")).hasSize(2_500);
    }

    @Test
    void jobsThatAreFarFromTheirPlacesAreFoundInOneSearch() {
        for (boolean isFromLeft : List.of(true, false)) {
            SERVER.flushAll();
            push(numbered("job", 400));
            List<QueueEditing.Waiting> read = new ArrayList<>();
            for (int i = 0; i < 400; i += 2) {
                int job = isFromLeft ? 399 - i : i;
                read.add(waiting("job" + job, isFromLeft ? i : -1 - i));
            }
            redis.call("RPOP", "queue:q", "100");
            push(numbered("new", 20_000));
            redis.call("CONFIG", "RESETSTAT");
            assertThat(editing.delete("q", read, Keeping.nothing())).isEqualTo(150);
            assertThat(calls("evalsha") + calls("eval")).as("" + isFromLeft).isLessThan(20);
            assertThat(all("queue:q")).hasSize(20_150);
        }
    }

    private long calls(String command) {
        byte[] stats = (byte[]) Objects.requireNonNull(redis.call("INFO", "commandstats"));
        Matcher calls =
                Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                        .matcher(new String(stats, UTF_8));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /// Against a plain list, with jobs of the same bytes among them.
    @Test
    void whateverChangesMeanwhileWhatIsThereIsTakenAndTheRestStays() {
        Random random = new Random(1);
        for (int round = 0; round < 300; round++) {
            SERVER.flushAll();
            int size = random.nextInt(1, 60);
            push(IntStream.range(0, size).mapToObj(_ -> name(random)).toArray(String[]::new));
            List<String> read = all("queue:q");
            boolean isFromLeft = random.nextBoolean();
            List<QueueEditing.Waiting> wanted = new ArrayList<>();
            List<String> names = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int place = isFromLeft ? i : size - 1 - i;
                if (random.nextInt(3) == 0) {
                    names.add(read.get(place));
                    wanted.add(waiting(read.get(place), isFromLeft ? place : place - size));
                }
            }
            change(random);
            List<String> rest = new ArrayList<>(all("queue:q"));
            long there = names.stream().filter(rest::remove).count();

            assertThat(editing.delete("q", wanted, Keeping.nothing())).isEqualTo(there);
            assertThat(all("queue:q"))
                    .as("round %d", round)
                    .hasSameElementsAs(rest)
                    .hasSize(rest.size());
        }
    }

    private static String name(Random random) {
        return "job" + random.nextInt(40);
    }

    private void change(Random random) {
        int pushed = random.nextInt(8) == 0 ? 2_000 : random.nextInt(5);
        push(numbered("new", pushed));
        for (int i = random.nextInt(5); i > 0; i--) {
            redis.call("RPOP", "queue:q");
            redis.call("LREM", "queue:q", "1", name(random));
        }
    }

    @Test
    void jobsMoveInTheirOrder() {
        push("e", "d", "c", "b", "a");
        redis.call("LPUSH", "queue:other", "first");
        List<QueueEditing.Waiting> jobs =
                List.of(waiting("e", -1), waiting("c", -3), waiting("a", -5));
        List<byte[]> changed = Stream.of("E", "C", "A").map(one -> one.getBytes(UTF_8)).toList();
        assertThat(editing.move("q", "other", jobs, changed)).isEqualTo(3);
        assertThat(all("queue:q")).containsExactly("b", "d");
        assertThat(all("queue:other")).containsExactly("A", "C", "E", "first");
        assertThatThrownBy(() -> editing.move("q", "q", jobs, changed))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCommandThatIsForbiddenLeavesTheQueueAsItIs() {
        push("b", "a");
        for (String command : List.of("lrem", "lset", "lindex")) {
            redis.call("ACL", "SETUSER", "default", "-" + command);
            assertThatThrownBy(() -> delete(waiting("a", 0), waiting("b", 1)))
                    .as(command)
                    .isInstanceOf(RedisFailure.class);
            redis.call("ACL", "SETUSER", "default", "+" + command);
        }
        assertThat(all("queue:q")).containsExactly("a", "b");
    }

    @Test
    void aKeyOfAWrongTypeLeavesTheQueueAsItIs() {
        push("b", "a");
        redis.call("SET", "queues", "no set");
        assertThatThrownBy(() ->
                        editing.move(
                                "q",
                                "other",
                                List.of(waiting("b", -1), waiting("a", -2)),
                                List.of(new byte[] {'B'}, new byte[] {'A'})))
                .isInstanceOf(RedisFailure.class);
        assertThat(all("queue:q")).containsExactly("a", "b");
        redis.call("SET", "queue:other", "no list");
        redis.call("SET", "mw:undo:act", "no list");
        List<QueueEditing.Waiting> jobs = List.of(waiting("a", 0));
        assertThatThrownBy(() -> editing.move("q", "other", jobs, List.of(new byte[] {'A'})))
                .isInstanceOf(RedisFailure.class);
        assertThatThrownBy(() -> editing.delete("q", jobs, Keeping.of("act")))
                .isInstanceOf(RedisFailure.class);
        assertThat(all("queue:q")).containsExactly("a", "b");
    }

    /// What has come to a process runs there, most often, before it is in flight.
    @Test
    void whatHasComeToAProcessStaysWhenTheQueueIsCleared() {
        redis.call("SADD", "queues", "q");
        push("waits");
        redis.call("LPUSH", "mw:{queue:q}:arrivals:busy#0", "begun");

        assertThat(editing.clear("q", Keeping.nothing())).hasValue(1);
        assertThat(all("queue:q")).isEmpty();
        assertThat(all("mw:{queue:q}:arrivals:busy#0")).containsExactly("begun");
    }
}
