package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `mawashi failed` as it is called, on a real Redis.
final class FailedCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private static String job(String jobClass, int number) {
        return "{\"class\":\"%s\",\"args\":[%d, \"tar\"]}".formatted(jobClass, number);
    }

    private void fail(String list, String queue, String payload) {
        redis.call(
                "RPUSH",
                "resque:" + list,
                """
                {"failed_at":"2026/11/21 17:26:31 CET","payload":%s,"exception":"IOError",\
                "error":"no disk","backtrace":["a.rb:1"],"worker":"vm:1:low","queue":"%s"}\
                """
                        .formatted(payload, queue));
    }

    private List<String> list(String key) {
        List<String> all = new ArrayList<>();
        Object reply = Objects.requireNonNull(redis.call("LRANGE", "resque:" + key, "0", "-1"));
        ((List<?>) reply).forEach(value -> all.add(new String((byte[]) value, UTF_8)));
        return all;
    }

    @Test
    void failuresOfAllListsAreListedNewestFirst() {
        fail("failed", "low", job("Archive", 1));
        fail("failed", "low", job("Archive", 2));
        redis.call("SADD", "resque:failed_queues", "mail_failed");
        fail("mail_failed", "mail", job("Mail", 3));

        assertThat(run("failed", "--limit", "2")).isEqualTo(Main.DONE);

        assertThat(out.toString().lines())
                .satisfiesExactly(
                        head -> assertThat(head).contains("failed", "class", "requeued"),
                        first ->
                                assertThat(first)
                                        .contains(
                                                "low",
                                                "Archive",
                                                "[2,\"tar\"]",
                                                "IOError: no disk"),
                        second -> assertThat(second).contains("[1,\"tar\"]"));
        assertThat(err.toString()).contains("2 of 3 failed jobs");
        run("failed", "--class", "Mail", "--json");
        assertThat(out.toString())
                .startsWith("{\"list\":\"mail_failed\",\"failed_at\":\"2026/11/21 17:26:31 CET\"")
                .endsWith("\"queue\":\"mail\"}\n");
    }

    @Test
    void aRequeueEnqueuesTheExactBytesOnceAndTheRecordStays() {
        fail("failed", "low", job("Archive", 1));
        fail("failed", "low", job("Other", 2));

        assertThat(run("failed", "requeue", "--class", "Archive")).isEqualTo(Main.DONE);

        assertThat(out.toString()).isEqualTo("1 job of resque:failed was requeued\n");
        assertThat(list("queue:low")).containsExactly(job("Archive", 1));
        assertThat(redis.call("SISMEMBER", "resque:queues", "low")).isEqualTo(1L);
        assertThat(list("failed"))
                .satisfiesExactly(
                        first ->
                                assertThat(first)
                                        .contains(job("Archive", 1), "\"retried_at\":\"20"),
                        second -> assertThat(second).doesNotContain("retried_at"));
        assertThat(run("failed", "requeue", "--all", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("\"touched\":1,\"gone\":0");
        assertThat(list("queue:low")).containsExactly(job("Archive", 1), job("Other", 2));
        assertThat(run("failed", "requeue", "--class", "Archive")).isEqualTo(Main.FAILED);
    }

    @Test
    void equalRecordsAreRequeuedEach() {
        fail("failed", "low", job("Archive", 1));
        fail("failed", "low", job("Archive", 1));

        run("failed", "requeue", "--all");

        assertThat(list("queue:low")).hasSize(2);
        assertThat(list("failed")).allMatch(record -> record.contains("retried_at"));
    }

    @Test
    void whatWasNoJobIsRequeuedAsItWasAndWhatIsNoRecordIsLeft() {
        String exact = "{\"class\":";
        String base64 = Base64.getEncoder().encodeToString(exact.getBytes(UTF_8));
        redis.call(
                "RPUSH",
                "resque:failed",
                "{\"payload\":{\"class\":\"Mawashi::MalformedPayload\"},\"queue\":\"low\","
                        + "\"payload_base64\":\""
                        + base64
                        + "\"}");
        redis.call("RPUSH", "resque:failed", "no record");

        run("failed", "requeue", "--all");

        assertThat(list("queue:low")).containsExactly(exact);
        assertThat(out.toString()).contains("1 job", "1 no job and left where it is");
        assertThat(list("failed").getLast()).isEqualTo("no record");
    }

    @Test
    void recordsAreRemovedByFilterOrAll() {
        for (int i = 0; i < 250; i++) {
            fail("failed", i % 2 == 0 ? "low" : "high", job("Archive", i));
        }

        assertThat(run("failed", "remove", "--queue", "low", "--yes")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("125 jobs of resque:failed were removed\n");
        assertThat(list("failed")).hasSize(125).allMatch(record -> record.contains("\"high\""));

        assertThat(run("failed", "remove", "--all")).isEqualTo(Main.WRONG_USE);
        assertThat(run("failed", "remove")).isEqualTo(Main.WRONG_USE);
        assertThat(list("failed")).hasSize(125);
        assertThat(run("failed", "remove", "--all", "--yes")).isEqualTo(Main.DONE);
        assertThat(list("failed")).isEmpty();
    }

    /// Resque's keys are not behind it, so there would be no failures, which is not so.
    @ParameterizedTest
    @ValueSource(strings = {"failed", "failed requeue --all", "failed remove --all --yes"})
    void aNamespaceOfSidekiqsIsRefused(String command) {
        fail("failed", "low", job("Archive", 1));

        assertThat(RIG.run(Map.of("MAWASHI_NAMESPACE", "myapp"), command.split(" ")))
                .isEqualTo(Main.WRONG_USE);
        assertThat(err.toString())
                .isEqualTo(
                        "mawashi: MAWASHI_NAMESPACE is of Sidekiq's keys, and these jobs are"
                                + " Resque's: give none\n");
        assertThat(list("failed")).hasSize(1);
    }

    @Test
    void anotherNamespaceHasOtherFailures() {
        fail("failed", "low", job("Archive", 1));

        run("failed", "--resque-namespace", "app");

        assertThat(err.toString()).isEqualTo("no failed jobs\n");
        assertThat(run("failed", "--resque-namespace", "queue")).isEqualTo(Main.WRONG_USE);
        assertThat(run("failed", "remove", "--all", "--namespace", "a", "--resque-namespace", "b"))
                .isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("--resque-namespace of Resque's: give one of them");
    }
}
