package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi push` on a real Redis.
final class PushCommandIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    @TempDir Path folder;
    private final RedisConnection redis = SERVER.connect();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @AfterEach
    void emptyServer() {
        redis.call("CONFIG", "SET", "appendonly", "no");
        redis.call("CONFIG", "SET", "appendfsync", "everysec");
        redis.call("FLUSHALL");
        redis.close();
    }

    @Test
    void theJidIsAllThatStandsOnStdoutSoThatCancelCanFollow() {
        assertThat(run("push", "Report", "42", "--in", "1h")).isZero();
        String jid = out.toString().strip();
        assertThat(jid).matches("[0-9a-f]{24}");
        assertThat(err.toString()).startsWith("enqueued 1 job Report in queue default, due ");
        assertThat(run("cancel", jid)).isZero();
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(0L);

        assertThat(run("push", "Report", "--json")).isZero();
        assertThat(out.toString())
                .matches(
                        "\\{\"class\":\"Report\",\"queue\":\"default\",\"count\":1,\"at\":null,"
                                + "\"jid\":\"[0-9a-f]{24}\",\"ack\":null}\n");
    }

    @Test
    void retryAndTagsGoIntoEachPayload() throws IOException {
        Path file = Files.writeString(folder.resolve("args"), "[1]\n[2]\n");
        assertThat(run("push", "Report", "--retry", "false", "--tag", "a", "--tag", "b")).isZero();
        assertThat(run("push", "Report", "--bulk", file.toString(), "--retry", "5")).isZero();
        List<?> payloads =
                (List<?>) Objects.requireNonNull(redis.call("LRANGE", "queue:default", "0", "-1"));
        assertThat(payloads).hasSize(3);
        assertThat(new String((byte[]) payloads.getLast(), UTF_8))
                .startsWith("{\"retry\":false,")
                .contains("\"args\":[],\"tags\":[\"a\",\"b\"],\"jid\":");
        for (Object payload : payloads.subList(0, 2)) {
            assertThat(new String((byte[]) payload, UTF_8))
                    .startsWith("{\"retry\":5,")
                    .doesNotContain("tags");
        }
    }

    @Test
    void whatIsNoJobIsWrongUseAndNothingIsPushed() {
        String[][] wrong = {
            {"no class", "is no class name: write Report"},
            {"Report", "--queue", " q", "queue \" q\" is no name"},
            {"Report", "--retry", "often", "retry \"often\" is neither true nor false"},
            {"Report", "--tag", "", "tag \"\" is no name"},
            {"Report", "--at", "90", "at is more than a year ago: give seconds"},
            {"Report", "--at", "2100-01-01T00:00:00Z", "at is more than ten years ahead"},
        };
        for (String[] words : wrong) {
            List<String> command = new ArrayList<>(List.of("push"));
            command.addAll(List.of(words).subList(0, words.length - 1));
            assertThat(run(command.toArray(String[]::new))).isEqualTo(Main.WRONG_USE);
            assertThat(err.toString()).contains(words[words.length - 1]).hasLineCount(1);
        }
        assertThat(redis.call("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void numbersAreTheSameWhateverTheMachinesLanguage() {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        // It has digits of its own.
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(run("push", "Report", "--json")).isZero();
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
        assertThat(out.toString()).contains("\"count\":1,");
    }

    @Test
    void ofManyJobsEachHasItsJidInTheFilesOrder() throws IOException {
        Path file = Files.writeString(folder.resolve("args"), "[1]\n[2]\n");
        assertThat(run("push", "Report", "--bulk", file.toString())).isZero();
        assertThat(err).hasToString("enqueued 2 jobs Report in queue default\n");
        List<String> jids = out.toString().lines().toList();
        assertThat(jids).hasSize(2).allMatch(jid -> jid.matches("[0-9a-f]{24}"));
        assertThat(new String((byte[]) redis.call("LINDEX", "queue:default", "-1"), UTF_8))
                .contains("\"args\":[1]", jids.getFirst());

        assertThat(run("push", "Report", "--bulk", file.toString(), "--json")).isZero();
        assertThat(out.toString())
                .contains("\"count\":2,\"at\":null,\"jid\":null,\"ack\":null")
                .hasLineCount(1);
    }

    @Test
    void whereALineOfManyIsWrongTheJidsOfThoseThatAreThereAreTold() throws IOException {
        String lines = "[1]\n".repeat(10_002) + "[\n";
        Path file = Files.writeString(folder.resolve("args"), lines);
        assertThat(run("push", "Report", "--bulk", file.toString())).isEqualTo(Main.WRONG_USE);
        assertThat(out.toString().lines()).hasSize(10_000);
        assertThat(err.toString())
                .contains("job 10003: ", "(the first 10000 jobs are enqueued)")
                .hasLineCount(1);
        assertThat(redis.call("LLEN", "queue:default")).isEqualTo(10_000L);
    }

    @Test
    void whereDiskCannotBeReachedNothingIsPushed() {
        assertThat(run("push", "Report", "--ack", "disk")).isOne();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("mawashi: nothing was enqueued: --ack disk cannot be reached by Redis")
                .contains("grade D0")
                .hasLineCount(1);
        assertThat(redis.call("LLEN", "queue:default")).isEqualTo(0L);
    }

    @Test
    void withAppendfsyncAlwaysTheReplyItselfMeansDisk() {
        redis.call("CONFIG", "SET", "appendfsync", "always");
        redis.call("CONFIG", "SET", "appendonly", "yes");
        assertThat(run("push", "Report", "--ack", "disk")).isZero();
        assertThat(err.toString())
                .isEqualTo("enqueued 1 job Report in queue default, reached disk\n");
        assertThat(run("push", "Report", "--ack", "disk", "--json")).isZero();
        assertThat(out.toString())
                .contains("\"ack\":{\"wanted\":\"disk\",\"reached\":\"disk\",\"ok\":true}");
        assertThat(redis.call("LLEN", "queue:default")).isEqualTo(2L);
    }

    @Test
    void replicasAreWaitedForAndAWaitInVainSaysThatTheJobIsThere() {
        assertThat(run("push", "Report", "--ack", "replicas:1")).isOne();
        assertThat(err.toString())
                .contains("nothing was enqueued: --ack replicas:1", "Redis has 0 connected");
        assertThat(redis.call("LLEN", "queue:default")).isEqualTo(0L);

        String port = String.valueOf(SERVER.address().port());
        try (RedisServerForTests replica =
                new RedisServerForTests("--replicaof", "127.0.0.1", port)) {
            Eventually.until("it follows", () -> run("push", "R", "--ack", "replicas:1") == 0);
            assertThat(err.toString()).endsWith(", reached replicas:1\n");
            assertThat(out.toString().strip()).hasSize(24);

            signal("STOP", replica.pid());
            assertThat(run("push", "R", "--ack", "replicas:1", "--timeout", "0.2")).isOne();
            assertThat(out.toString().strip()).hasSize(24);
            assertThat(err.toString())
                    .contains(
                            "mawashi: the job is enqueued, but --ack replicas:1 was not reached"
                                    + " within 0.2 s, only replicas:0 (do not push again");
            signal("CONT", replica.pid());
        }
    }

    @Test
    void levelsThatCannotBeMeantAreWrongUse() {
        assertThat(run("push", "R", "--ack", "replicas:0")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--ack replicas:0 is neither disk nor replicas:N");
        assertThat(run("push", "R", "--ack", "disks")).isEqualTo(Main.WRONG_USE);
        assertThat(run("push", "R", "--timeout", "1")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--timeout goes with --ack");
        assertThat(run("push", "R", "--ack", "disk", "--timeout", "NaN")).isEqualTo(Main.WRONG_USE);
    }

    @Test
    void aLoginThatIsRefusedNamesWhereToLook() {
        redis.call("ACL", "SETUSER", "bob", "on", ">right", "~*", "+@all");
        String url = SERVER.url().replace("redis://", "redis://bob:wrong@");
        for (String command : List.of("stats", "queues", "retries")) {
            assertThat(run(command, "--redis", url)).isOne();
            assertThat(err.toString())
                    .contains("WRONGPASS", "(look at user and password of the Redis URL")
                    .hasLineCount(1);
        }
    }

    @Test
    void aPasswordThatIsMissingNamesWhereToLook() {
        redis.call("CONFIG", "SET", "requirepass", "secret");
        try {
            for (String command : List.of("stats", "queues", "dead")) {
                assertThat(run(command)).isOne();
                assertThat(err.toString())
                        .contains("NOAUTH", "(look at user and password of the Redis URL")
                        .hasLineCount(1);
            }
        } finally {
            redis.call("CONFIG", "SET", "requirepass", "");
        }
    }

    private static void signal(String name, long pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(
                List.of(arguments),
                Map.of("REDIS_URL", SERVER.url()),
                new PrintWriter(out, true),
                new PrintWriter(err, true));
    }
}
