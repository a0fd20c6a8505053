package dev.mawashi.redis;

import static dev.mawashi.redis.RedisConnection.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mawashi.tables.LockTable;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An operator reads which key Redis refuses, and what helps.
final class RefusalIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Script ENQUEUE = Script.beside(LockTable.class, "enqueue_unique.lua");
    private static final List<byte[]> KEYS =
            List.of(utf8("queues"), utf8("queue:q"), utf8("mw:locks"));
    private static final List<byte[]> WORDS =
            IntStream.range(0, 9).mapToObj(i -> utf8(i == 0 ? "q" : "")).toList();
    private static final String REMEDY =
            ": see what it is with redis-cli TYPE, and rename or delete it (WRONGTYPE)";

    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
        redis.call("SETEX", "odd", "600", "text");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static String explained(RedisConnection connection, String... words) {
        return failure(() -> connection.call(words)).explanation();
    }

    private static RedisFailure failure(Runnable call) {
        return catchThrowableOfType(RedisFailure.class, call::run);
    }

    @ParameterizedTest
    @CsvSource({
        "LRANGE odd 0 1, list",
        "RPUSH odd 1, list",
        "ZRANGE odd 0 1, sorted set",
        "hgetall odd, hash",
        "SMEMBERS odd, set",
    })
    void aKeyOfAWrongTypeIsNamed(String command, String kind) {
        assertThat(explained(redis, command.split(" ")))
                .isEqualTo("the key odd is no " + kind + REMEDY);
    }

    @Test
    void theKeysOfACommandThatHasManyAreNamed() {
        redis.call("RPUSH", "jobs", "1");

        assertThat(explained(redis, "LMOVE", "jobs", "odd", "LEFT", "RIGHT"))
                .isEqualTo("one of the keys jobs, odd has another type than LMOVE wants" + REMEDY);
        assertThat(explained(redis, "ZUNION", "2", "some", "odd", "AGGREGATE", "MIN"))
                .isEqualTo("one of the keys some, odd has another type than ZUNION wants" + REMEDY);
        redis.call("RPUSH", "list", "1");
        assertThat(explained(redis, "GET", "list")).isEqualTo("the key list is no string" + REMEDY);
        assertThat(explained(redis, "GEOPOS", "odd", "x"))
                .isEqualTo("the key odd has another type than GEOPOS wants" + REMEDY);
    }

    /// Also where Redis has to be sent its text first.
    @Test
    void theKeysOfAScriptAreNamed() {
        redis.call("SCRIPT", "FLUSH");
        redis.call("SET", "queue:q", "text");
        for (int i = 0; i < 2; i++) {
            RedisFailure failure = failure(() -> redis.eval(ENQUEUE, KEYS, WORDS));
            assertThat(failure.explanation())
                    .isEqualTo(
                            "one of the keys queues, queue:q, mw:locks has another type than"
                                    + " enqueue_unique.lua wants"
                                    + REMEDY);
            assertThat(failure.after("1 job is gone").explanation())
                    .isEqualTo("1 job is gone: " + failure.explanation());
        }
    }

    @Test
    void oddAndManyKeysAreShortened() {
        redis.call("SET", "a\u001b[1m\nb", "text");
        redis.call("SET", "k".repeat(500), "text");

        assertThat(explained(redis, "LLEN", "a\u001b[1m\nb")).startsWith("the key a?[1m?b is no");
        assertThat(explained(redis, "LLEN", "k".repeat(500)))
                .startsWith("the key " + "k".repeat(100) + "... is no");
        String[] many = IntStream.range(0, 22).mapToObj(i -> "k" + i).toArray(String[]::new);
        many[0] = "ZUNION";
        many[1] = "20";
        many[2] = "odd";
        assertThat(explained(redis, many)).contains("keys odd, k3,", "k11, 10 others has another");
    }

    @Test
    void otherRefusalsHaveARemedyToo() {
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(explained(redis, "SET", "k", "1"))
                    .startsWith("OOM command not allowed")
                    .endsWith("(SET of k): raise its maxmemory, or delete what is not needed");
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
        redis.call("ACL", "SETUSER", "default", "-lrange", "-info", "-time");
        try {
            assertThat(failure(() -> redis.eval(ENQUEUE, KEYS, WORDS)).explanation())
                    .contains(" (enqueue_unique.lua of queues, queue:q, mw:locks): give its user");
            assertThat(explained(redis, "LRANGE", "secret", "0", "1"))
                    .startsWith("NOPERM ")
                    .endsWith(
                            "(LRANGE of secret): give its user the ACL of the guide: redis.md, ACL");
            assertThat(explained(redis, "INFO", "server")).contains(" (INFO): give its user");
        } finally {
            redis.call("ACL", "SETUSER", "default", "+lrange", "+info", "+time");
        }
        redis.call("REPLICAOF", "127.0.0.1", "1");
        try {
            assertThat(explained(redis, "SET", "k", "1"))
                    .startsWith("READONLY ")
                    .endsWith("(SET of k): name the master in the Redis URL");
        } finally {
            redis.call("REPLICAOF", "NO", "ONE");
        }
        assertThat(explained(redis, "NOSUCHCOMMAND")).startsWith("ERR unknown command");
    }

    @Test
    void aRedisThatCannotWriteItsFileIsToBeLookedAt() {
        String reply = "MISCONF Redis is configured to save RDB snapshots, and cannot.";
        Sent sent = new Sent(RedisCalls.words("DEL", "k"), null);

        assertThat(RedisFailure.refused(reply, new IllegalStateException(), sent).explanation())
                .endsWith("snapshots, and cannot (DEL of k): look at its log and its disk");
        assertThat(RedisFailures.refused(reply).explanation()).isEqualTo(reply);
    }
}
