package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `mawashi erase` on each place in which a payload can be.
final class EraseCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final String TEXT = "anna@example.org";

    /// The same in JSON's escapes.
    private static final String ESCAPED = "\\u0061nna\\u0040example.org";

    private static RedisConnection redis() {
        return RIG.redis();
    }

    private static String job(String jid, String text) {
        return "{\"class\":\"Mail\",\"args\":[{\"to\":[\"%s\"]}],\"jid\":\"%s\",\"queue\":\"low\"}"
                .formatted(text, jid);
    }

    /// Jobs of hers and of others in all places but in processes' hands.
    private static void fill() {
        redis().call("SADD", "queues", "low");
        redis().call("SADD", "resque:queues", "low");
        redis().call("SADD", "mw:queues", "low");
        redis().call("SADD", "resque:failed_queues", "low_failed");
        redis().call("ZADD", "resque:delayed_queue_schedule", "100", "100");
        for (String jid : List.of("a", "b", "c")) {
            for (String text : List.of(TEXT, "bob@example.org", ESCAPED)) {
                String job =
                        job(jid + (text.equals(TEXT) ? 1 : text.equals(ESCAPED) ? 2 : 3), text);
                redis().call("ZADD", "schedule", "1", job);
                redis().call("ZADD", "retry", "1", job);
                redis().call("ZADD", "dead", "1", job);
                redis().call("ZADD", "mw:{resque}:oversized", "1", job);
                redis().call("LPUSH", "queue:low", job);
                redis().call("LPUSH", "mw:{queue:low}:suspects", job);
                redis().call("LPUSH", "mw:{queue:low}:arrivals", job);
                redis().call("RPUSH", "resque:queue:low", job);
                redis().call("RPUSH", "resque:delayed:100", job);
                redis().call("SADD", "resque:timestamps:" + job, "delayed:100");
                redis().call("RPUSH", "resque:failed", "{\"payload\":" + job + "}");
                redis().call("RPUSH", "resque:low_failed", "{\"payload\":" + job + "}");
            }
        }
        redis().call("HSET", "it-a1", "c", "1");
        redis().call("HSET", "it-a3", "c", "1");
    }

    /// All that Redis holds, names of keys too, as text.
    private static List<String> everything() {
        List<String> all = new ArrayList<>();
        for (String key : texts("KEYS", "*")) {
            String type =
                    new String((byte[]) Objects.requireNonNull(redis().call("TYPE", key)), UTF_8);
            List<String> values =
                    switch (type) {
                        case "list" -> texts("LRANGE", key, "0", "-1");
                        case "zset" -> texts("ZRANGE", key, "0", "-1");
                        case "set" -> texts("SMEMBERS", key);
                        case "hash" -> texts("HGETALL", key);
                        default -> List.of();
                    };
            values.forEach(value -> all.add(key + " " + value));
        }
        all.sort(String::compareTo);
        return all;
    }

    private static List<String> texts(String... command) {
        List<String> texts = new ArrayList<>();
        if (redis().call(command) instanceof List<?> found) {
            found.forEach(one -> texts.add(new String((byte[]) one, UTF_8)));
        }
        return texts;
    }

    private static boolean isHers(String text) {
        return text.contains(TEXT) || text.contains(ESCAPED);
    }

    private static List<String> withoutAudit(List<String> all) {
        return all.stream().filter(one -> !one.startsWith("mw:audit ")).toList();
    }

    @Test
    void herJobsGoFromEachPlaceAndAllOthersStay() {
        fill();
        List<String> others =
                everything().stream()
                        .filter(one -> !isHers(one) && !one.startsWith("it-a1"))
                        .toList();
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).as(RIG.err().toString()).isZero();
        List<String> left = everything();
        assertThat(left).noneMatch(EraseCommandIT::isHers);
        // What the older builds' arrivals held goes back to the queue, as with any sweep.
        assertThat(withoutAudit(left).stream().map(EraseCommandIT::home))
                .containsExactlyInAnyOrderElementsOf(
                        others.stream().map(EraseCommandIT::home).toList());
        assertThat(RIG.out().toString())
                .contains("erased 67 jobs and records", "dead 6", "resque:failed 6")
                .contains("not reached: logs and traces");
        // The record says that it was, and not whom it was about.
        assertThat(left).anyMatch(one -> one.startsWith("mw:audit ") && one.contains("\"erase\""));
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).isZero();
        assertThat(RIG.out().toString()).startsWith("erased 0 jobs and records\n");
    }

    private static String home(String entry) {
        return entry.replace("mw:{queue:low}:arrivals ", "queue:low ");
    }

    @Test
    void whatCanBeUndoneAndWordsOfOperatorsGoToo() {
        fill();
        assertThat(RIG.run("dead", "delete", "--text", TEXT, "--yes")).isZero();
        assertThat(texts("KEYS", "mw:undo:*")).hasSize(1);
        assertThat(RIG.run("erase", "--text", TEXT, "--yes", "--json")).isZero();
        assertThat(RIG.out().toString()).contains("\"undo\":3").contains("\"audit\":1");
        assertThat(texts("KEYS", "mw:undo:*")).isEmpty();
        assertThat(everything()).noneMatch(EraseCommandIT::isHers);
        assertThat(texts("LRANGE", "mw:audit", "0", "-1")).hasSize(2);
    }

    @Test
    void aDryRunChangesNothing() {
        fill();
        List<String> before = everything();
        assertThat(RIG.run("erase", "--text", TEXT, "--dry-run", "--json")).isZero();
        assertThat(RIG.out().toString())
                .contains("\"dry_run\":true", "\"erased\":66", "\"retry\":6", "\"queue:low\":6");
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void onlyJobsOfAClassGo() {
        String other = job("b", TEXT).replace("Mail", "Other");
        String wrapped =
                "{\"class\":\"Sidekiq::ActiveJob::Wrapper\",\"wrapped\":\"Mail\",\"args\":[{\"arguments\":[\""
                        + TEXT
                        + "\"]}]}";
        redis().call("ZADD", "dead", "1", job("a", TEXT), "2", other, "3", wrapped);
        assertThat(RIG.run("erase", "--text", TEXT, "--class", "Mail", "--yes")).isZero();
        assertThat(texts("ZRANGE", "dead", "0", "-1")).containsExactly(other);
    }

    @Test
    void whatADeadProcessHadInHandGoesAndWhatRunsIsNamedAndLeft() {
        redis().call("SADD", "mw:queues", "low");
        redis().call(
                        "ZADD",
                        "mw:{queue:low}:leases",
                        "1",
                        "dead:1:x#1",
                        "99999999999999",
                        "web:2:y#1");
        for (String owner : List.of("dead:1:x#1", "web:2:y#1")) {
            String key = "mw:{queue:low}:inflight:" + owner;
            redis().call("HSET", key, "1", job("h" + owner, TEXT), "2", job("o", "bob"));
        }
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).isEqualTo(1);
        assertThat(RIG.out().toString())
                .contains("1 jobs run and are left", "hweb:2:y#1 Mail of queue low in web:2:y")
                .contains("queue:low 1");
        assertThat(texts("LRANGE", "queue:low", "0", "-1")).containsExactly(job("o", "bob"));
        assertThat(texts("HKEYS", "mw:{queue:low}:inflight:web:2:y#1"))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(texts("KEYS", "*dead:1*")).isEmpty();
    }

    @Test
    void whatRunsInAProcessOfSidekiqsIsNamed() {
        redis().call("SADD", "processes", "s:1:x");
        redis().call("HSET", "s:1:x", "info", "{}", "busy", "1");
        String work = "{\"queue\":\"low\",\"payload\":" + job("w", TEXT) + ",\"run_at\":1}";
        redis().call("HSET", "s:1:x:work", "t", work);
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).isEqualTo(1);
        assertThat(RIG.out().toString()).contains("w Mail of queue low in s:1:x");
    }

    @Test
    void aKeyOfAWrongTypeIsNamedAndTheOthersAreLookedThrough() {
        redis().call("SET", "retry", "x");
        redis().call("ZADD", "dead", "1", job("a", TEXT));
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).isEqualTo(1);
        assertThat(RIG.out().toString()).contains("dead 1", "not looked at: retry: WRONGTYPE");
        assertThat(texts("ZRANGE", "dead", "0", "-1")).isEmpty();
    }

    @Test
    void nobodyIsAskedWhereNobodyIs() {
        redis().call("ZADD", "dead", "1", job("a", TEXT));
        assertThat(RIG.run("erase", "--text", TEXT)).isEqualTo(2);
        assertThat(RIG.err().toString()).contains("erase 1 jobs and records for good", "--yes");
        assertThat(texts("ZRANGE", "dead", "0", "-1")).hasSize(1);
        assertThat(texts("LRANGE", "mw:audit", "0", "-1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ab,--text has 2 letters", "'   ',--text has 0 letters"})
    void aTextThatIsInAnyJobIsRefused(String text, String message) {
        redis().call("ZADD", "dead", "1", job("a", TEXT));
        assertThat(RIG.run("erase", "--text", text, "--yes")).isEqualTo(2);
        assertThat(RIG.err().toString()).contains(message);
        assertThat(texts("ZRANGE", "dead", "0", "-1")).hasSize(1);
    }

    /// Many pages and steps, with jobs of others between them.
    @Test
    void manyGoInStepsAndNoneIsPassedOver() {
        redis().call("SADD", "queues", "low");
        for (int i = 0; i < 3_000; i++) {
            String job = job("j" + i, i % 3 == 0 ? "bob" + i : TEXT);
            redis().call("LPUSH", "queue:low", job);
            redis().call("ZADD", "dead", "" + i, job);
        }
        assertThat(RIG.run("erase", "--text", TEXT, "--yes")).as(RIG.err().toString()).isZero();
        assertThat(RIG.out().toString()).contains("queue:low 2000", "dead 2000");
        assertThat(texts("LRANGE", "queue:low", "0", "-1")).hasSize(1_000);
        assertThat(texts("ZRANGE", "dead", "0", "-1")).hasSize(1_000);
    }
}
