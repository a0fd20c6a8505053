package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi processes` as it is called, on a real Redis.
final class ProcessesCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private final RedisConnection redis = RIG.redis();
    private final StringWriter out = RIG.out();
    private final StringWriter err = RIG.err();

    @Test
    void processesAreListedAndSignalledAsSidekiqDoes() {
        process("web-1:1:aa", "shop");
        process("web-2:2:bb", "shop");
        process("web-2:22:cc", "shop\u001b[2J");

        assertThat(run("processes")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("web-1:1:aa   shop", "1 of 5", "high,low", "?[2J");
        assertThat(run("processes", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString().lines().findFirst().orElseThrow())
                .matches(
                        "\\{\"identity\":\"web-1:1:aa\",\"tag\":\"shop\",\"queues\":\\[\"high\",\"low\"],"
                                + "\"labels\":\\[],\"busy\":1,\"concurrency\":5,\"quiet\":false,"
                                + "\"rss_kib\":2048,\"beat_age\":[\\d.]+,\"uptime\":[\\d.]+,"
                                + "\"version\":\"7.3.0\",\"trouble\":null}");

        assertThat(run("processes", "quiet", "web-1")).isEqualTo(Main.DONE);
        assertThat(out.toString()).isEqualTo("web-1:1:aa will quiet at its next beat\n");
        assertThat(number("LLEN", "web-1:1:aa-signals")).isEqualTo(1);
        assertThat(number("TTL", "web-1:1:aa-signals")).isBetween(1L, 60L);

        assertThat(run("processes", "stop", "web-2")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("2 processes begin with web-2").hasLineCount(1);
        assertThat(run("processes", "stop", "web-3")).isEqualTo(Main.FAILED);
        assertThat(run("processes", "stop")).isEqualTo(Main.WRONG_USE);
        assertThat(run("processes", "stop", "--all")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("stop 3 processes", "--yes");
        assertThat(run("processes", "stop", "--all", "--yes", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("{\"identity\":\"web-2:22:cc\",\"signal\":\"TERM\"}");
    }

    @Test
    void oneThatCannotRunJobsSaysWhy() {
        process("web-1:1:aa", "shop");
        redis.call("HSET", "web-1:1:aa", "trouble", "no child process: gone");
        assertThat(run("processes")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("7.3.0    cannot run jobs: no child process: gone");
        assertThat(run("processes", "--json")).isEqualTo(Main.DONE);
        assertThat(out.toString()).contains("\"trouble\":\"no child process: gone\"}");
    }

    private void process(String identity, String tag) {
        redis.call("SADD", "processes", identity);
        redis.call(
                "HSET",
                identity,
                "info",
                "{\"tag\":\""
                        + tag.replace("\u001b", "\\u001b")
                        + "\",\"queues\":[\"high\",\"low\"],\"labels\":[],\"version\":\"7.3.0\","
                        + "\"started_at\":1.5}",
                "busy",
                "1",
                "concurrency",
                "5",
                "beat",
                "2.5",
                "rss",
                "2048",
                "quiet",
                "false");
    }

    private int run(String... arguments) {
        return RIG.run(arguments);
    }

    private long number(String... command) {
        return redis.call(command) instanceof Long value ? value : -1;
    }
}
