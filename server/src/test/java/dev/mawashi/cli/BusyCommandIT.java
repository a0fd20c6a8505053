package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi busy` as it is called, on a real Redis.
final class BusyCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private void runInSidekiq() {
        redis.call("SADD", "processes", "web-1:1:aa");
        redis.call(
                "HSET",
                "web-1:1:aa:work",
                "t1",
                "{\"queue\":\"low\",\"payload\":\"{\\\"class\\\":\\\"A\\\",\\\"jid\\\":\\\"j1\\\","
                        + "\\\"args\\\":[1]}\",\"run_at\":1795225700}");
    }

    /// @param more further fields
    private void runInResque(String worker, String jobClass, String more) {
        redis.call("SADD", "app:workers", worker);
        redis.call(
                "SET",
                "app:worker:" + worker,
                """
                {"queue":"high","run_at":"2026-11-21T20:48:21Z",\
                "payload":{"class":"%s","args":["x"]}%s}\
                """
                        .formatted(jobClass, more));
    }

    @Test
    void whatRunsIsListed() {
        runInSidekiq();

        assertThat(run("busy")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("web-1:1:aa  low    j1   A      [1]");
        assertThat(run("busy", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        {"process":"web-1:1:aa","slot":"t1","queue":"low","jid":"j1","run":null,\
                        "class":"A","args":[1],"since":"2026-11-21T01:48:20Z",\
                        "runner":null,"thread":null,"pid":null}
                        """);
    }

    @Test
    void whatResquesWorkersRunIsListedToo() {
        runInSidekiq();
        runInResque("mawashi@web-1:7:high", "B", ",\"mawashi_run\":\"aa-7\"");
        runInResque("web-1:5:low", "C", "");
        redis.call("SADD", "app:workers", "web-1:6:idle");
        redis.call("SADD", "app:workers", "web-1:9:odd");
        redis.call("SET", "app:worker:web-1:9:odd", "no json");

        assertThat(run("busy", "--resque-namespace", "app")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().skip(1))
                .satisfiesExactly(
                        odd -> assertThat(odd).contains("web-1:9:odd ", "(malformed)"),
                        sidekiq -> assertThat(sidekiq).contains("web-1:1:aa ", " j1 "),
                        ours ->
                                assertThat(ours)
                                        .contains("mawashi@web-1:7:high  high ", " aa-7  B "),
                        resque -> assertThat(resque).contains("web-1:5:low ", " C "));
        run("busy", "--json", "--resque-namespace", "app");
        assertThat(out.toString())
                .contains(
                        """
                        {"process":"mawashi@web-1:7:high","slot":"","queue":"high","jid":null,\
                        "run":"aa-7","class":"B","args":["x"],"since":"2026-11-21T20:48:21Z",\
                        "runner":null,"thread":null,"pid":null}
                        """);
        run("busy");
        assertThat(out.toString()).hasLineCount(2);
    }
}
