package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RedisPageIT {
    @RegisterExtension static final PageRig RIG = new PageRig();

    @Test
    void itTellsHowDurableHowFullAndHowFastItIs() throws Exception {
        RIG.redis().call("SADD", "queues", "big<b>");
        RIG.redis().call("LPUSH", "queue:big<b>", "{}");

        assertThat(RIG.page("/redis"))
                .contains("D0: memory only", "To lose less", "appendonly yes")
                .contains("in the middle of 20 pings", "without a limit")
                .contains("queue:big&lt;b&gt;")
                .containsPattern("<td class=\"n\">\\d+\\.\\d kB</td>")
                .doesNotContain("big<b>", "null", "throws jobs away");
    }

    @Test
    void aRedisThatThrowsJobsAwayIsTheFirstThingSaid() throws Exception {
        RIG.redis().call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
        try {
            assertThat(RIG.page("/redis"))
                    .contains("throws jobs away when it is full", "allkeys-lru", "of 104.9 MB");
        } finally {
            RIG.redis().call("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "0");
        }
    }

    @Test
    void theSlowLogShowsNoArgument() throws Exception {
        RIG.redis().call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        try {
            RIG.redis().call("LPUSH", "queue:mail", "{\"args\":[\"a-secret\"]}");
            RIG.redis().call("SET", "session:a-secret", "x");
            RIG.redis().call("CONFIG", "SET", "slowlog-log-slower-than", "10000");

            assertThat(RIG.page("/redis"))
                    .contains("lpush queue:mail", "<td class=\"code\">set</td>")
                    .doesNotContain("a-secret");
        } finally {
            RIG.redis().call("CONFIG", "SET", "slowlog-log-slower-than", "10000");
        }
    }

    @Test
    void whatAnAclForbidsIsNotToldWithItsReason() throws Exception {
        RIG.redis().call("SADD", "queues", "q");
        RIG.redis().call("LPUSH", "queue:q", "{}");
        RIG.redis()
                .call(
                        "ACL",
                        "SETUSER",
                        "viewer",
                        "on",
                        ">pass",
                        "~*",
                        "+@all",
                        "-slowlog",
                        "-memory",
                        "-config");
        HttpResponse<String> answer =
                RIG.getWith(RIG.redisUrl().replace("redis://", "redis://viewer:pass@"), "/redis");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains(
                        "How much each queue takes is not reported: NOPERM", "Not reported: NOPERM")
                .contains("CONFIG GET is refused", "D0 or D1")
                .doesNotContain("pass@");
    }

    @Test
    void withoutRedisItSaysSo() throws Exception {
        assertThat(RIG.getWith("redis://127.0.0.1:1", "/redis").statusCode()).isEqualTo(503);
    }
}
