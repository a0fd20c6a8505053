package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What rules hide is planted in each place where a job can be, and looked for in all that pages,
/// the API, metrics, commands and the log give, whatever routes and commands there are.
final class RedactionIT {
    /// Short, so that no limit of a column cuts it.
    private static final String SECRET = "s3cr3t";

    /// Of the same jobs, and nothing that a rule hides.
    private static final String OPEN = "0pen";

    private static final String RULES =
            """
            redact:
              - class: CardJob
                keys: card
              - class: Report*
                args: [0]
              - class: "*"
                keys: "*token*"
            """;

    private static final Pattern OWN_URL = Pattern.compile("(http://\\S+?)[,;.]?\\s");

    @TempDir private static Path folder;

    private static Workplace place;
    private static Child server;
    private static String url = "";
    private static AllReads reads;

    @BeforeAll
    static void fillAndStart() throws IOException {
        place = new Workplace(folder);
        Path config = Files.createDirectories(folder.resolve("config"));
        Files.writeString(config.resolve("sidekiq.yml"), ":concurrency: 2\n");
        Files.writeString(config.resolve("mawashi.yml"), RULES);
        fill();
        server =
                place.mawashi(
                        Workplace.DEBIAN_GEMS,
                        "run",
                        "-r",
                        Programs.SCRIPTS.resolve("redacted_app.rb").toString(),
                        "-C",
                        config.resolve("sidekiq.yml").toString(),
                        "--runner",
                        "mri",
                        "--processes",
                        "1",
                        "--web",
                        "0");
        url = AllReads.page(server);
        place.pushJobs(1, "gate", "CardJob", "[\"gate\",{\"card\":\"" + SECRET + "\"}]");
        place.pushJobs(1, "fail", "CardJob", "[\"fail\",{\"card\":\"" + SECRET + "\"}]");
        place.await("both ran", () -> place.ledger().lines("card").size() >= 2);
        reads = new AllReads(place, "job");
    }

    /// Jobs of all forms, as they lie in Redis.
    private static List<String> payloads(String jid) {
        String end = ",\"jid\":\"%s\",\"queue\":\"q-1\",\"enqueued_at\":1}".formatted(jid);
        return List.of(
                "{\"class\":\"CardJob\",\"args\":[\"0pen\",{\"deep\":[{\"card\":\"s3cr3t\"}]}]"
                        + end,
                "{\"class\":\"ReportJob\",\"args\":[\"s3cr3t\",\"0pen\"]" + end,
                "{\"class\":\"Any\",\"args\":[{\"api_token\":\"s3cr3t\"}],\"cattr\":{\"token\":\"s3cr3t\"}"
                        + end,
                "{\"class\":\"ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper\",\"wrapped\":\"ReportMail\","
                        + "\"args\":[{\"job_class\":\"ReportMail\",\"arguments\":[\"s3cr3t\",\"0pen\"]}]"
                        + end,
                "{\"class\":\"CardJob\",\"args\":[\"s3cr3t\",");
    }

    private static void fill() {
        try (RedisConnection redis =
                new RedisConnection(
                        RedisAddress.parse(place.redisUrl()), "fill", Duration.ofSeconds(60))) {
            redis.call("SADD", "queues", "q-1");
            redis.call("SADD", "resque:queues", "q-1");
            redis.call("SADD", "processes", "p");
            redis.call("HSET", "p", "info", "{}", "busy", "1");
            redis.call("SADD", "resque:workers", "w:1:q-1");
            redis.call("SADD", "mw:queues", "q-1");
            redis.call("ZADD", "mw:{queue:q-1}:leases", "9999999999999", "p#1");
            int n = 0;
            for (String job : payloads("job")) {
                String quoted = job.replace("\\", "\\\\").replace("\"", "\\\"");
                String inner = job.endsWith("}") ? job : "\"" + quoted + "\"";
                String exact = "\"payload_base64\":\"" + SECRET + "\"";
                for (String set : List.of("retry", "schedule", "dead")) {
                    redis.call("ZADD", set, AllReads.SCORE, job);
                }
                redis.call("LPUSH", "queue:q-1", job);
                redis.call("RPUSH", "resque:queue:q-1", job);
                redis.call(
                        "RPUSH",
                        "resque:failed",
                        "{\"error\":\"a\"," + exact + ",\"payload\":" + inner + "}");
                redis.call("HSET", "p:work", "t" + n, "{\"payload\":" + inner + "}");
                redis.call("SET", "resque:worker:w:1:q-1", "{\"payload\":" + inner + "}");
                redis.call("HSET", "mw:{queue:q-1}:inflight:p#1", "" + n, job);
                n++;
            }
            redis.call("RPUSH", "resque:failed", SECRET);
        }
    }

    @AfterAll
    static void jobsHadTheirArgumentsAndTheLogHasNone() {
        try {
            // Sidekiq's own lines of the failed job say which it was, the app's handler had all.
            place.await("it is logged", () -> server.log().contains("no luck"));
            assertThat(server.log()).contains("fail0", "[REDACTED]").doesNotContain(SECRET);
            assertThat(place.ledger().lines("handler").toString()).contains(SECRET);
            assertThat(place.ledger().lines("card"))
                    .extracting(Ledger.Line::rest)
                    .containsOnly(SECRET);
            place.open("gate");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain(SECRET);
            // All is in Redis as it was.
            List<byte[]> dead = place.strings("ZRANGE", "dead", "0", "-1");
            assertThat(dead).hasSize(5).allMatch(job -> Workplace.text(job).contains(SECRET));
        } finally {
            reads.close();
            place.close();
        }
    }

    private static String ask(String base, String address) {
        AllReads.Answer answer = reads.ask(base + address);
        return answer.status() + " " + answer.body();
    }

    private static void assertNoneTells(String base) {
        List<String> telling = new ArrayList<>();
        StringBuilder sum = new StringBuilder();
        for (String address : reads.paths()) {
            for (String query : List.of("", "?class=CardJob&limit=100", "?class=ReportMail")) {
                String answer = ask(base, address + query);
                sum.append(answer);
                if (answer.contains(SECRET)) {
                    telling.add(address + query);
                }
            }
        }
        assertThat(telling).isEmpty();
        // They do show these jobs.
        assertThat(sum).contains("[REDACTED]", OPEN, "CardJob", "ReportMail");
    }

    @Test
    void noAddressTells() {
        assertNoneTells(url);
    }

    /// Long: a page more; `noAddressTells` and `noCommandTells`, without the app, are the quick
    /// ones.
    @Tag("long")
    @Test
    void noAddressOfAPageWithoutTheAppTells() {
        Child page = place.mawashi(Workplace.NO_GEMS, "web", "0");
        Matcher own = OWN_URL.matcher(page.awaitLog("http://").log());
        assertThat(own.find()).isTrue();
        assertNoneTells(own.group(1));
        page.signal("TERM");
        assertThat(page.awaitExit()).as(page::log).isZero();
    }

    @Test
    void noCommandTells() {
        List<String> command = reads.commands("gate0", "PRINT=1");
        Child commands = place.start("commands", command, Workplace.NO_GEMS);
        assertThat(commands.awaitExit()).as(commands::log).isZero();
        assertThat(commands.log())
                .contains("[REDACTED]", OPEN, "CardJob", "ReportMail")
                .doesNotContain(SECRET);
    }

    /// Long: a server more for the same lines.
    @Tag("long")
    @Test
    void theLogOfJrubyTellsNothingEither() {
        Child jruby =
                place.mawashi(
                        Workplace.NO_GEMS,
                        "run",
                        "-r",
                        Programs.SCRIPTS.resolve("redacted_app.rb").toString(),
                        "-C",
                        folder.resolve("config/sidekiq.yml").toString(),
                        "--runner",
                        "jruby",
                        "-q",
                        "other");
        String job =
                "{\"class\":\"CardJob\",\"jid\":\"other0\",\"args\":[\"fail\",{\"card\":\"s3cr3t\"}]}";
        place.push("other", List.of(job.getBytes(StandardCharsets.UTF_8)));
        jruby.awaitLog("no luck");
        jruby.signal("TERM");
        assertThat(jruby.awaitExit()).as(jruby::log).isZero();
        assertThat(jruby.log()).contains("other0").doesNotContain(SECRET);
    }

    /// Whoever may search could guess a hidden text, letter by letter.
    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/dead", "/api/v1/retries", "/api/v1/queues/q-1/jobs"})
    void noSearchFindsWhatIsHidden(String list) {
        assertThat(ask(url, list + "?text=" + SECRET)).startsWith("200 ").contains("\"jobs\":[]");
        assertThat(ask(url, list + "?text=" + OPEN)).startsWith("200 ").contains("CardJob");
    }

    @Test
    void aRecordThatNobodyUnderstandsHidesAllAndSaysSo() {
        assertThat(ask(url, "/api/v1/queues/q-1/jobs")).contains(OPEN);
        place.number("ZADD", "mw:redact", "99999999999", "{\"rules\":[],\"from\":\"2030\"}");
        try {
            Eventually.until(
                    "all is hidden",
                    Child.LIMIT,
                    () -> !ask(url, "/api/v1/queues/q-1/jobs").contains(OPEN));
            assertThat(ask(url, "/api/v1/queues/q-1/jobs"))
                    .contains("[REDACTED: a record in mw:redact is unreadable]")
                    .contains("CardJob");
        } finally {
            place.number("ZREM", "mw:redact", "{\"rules\":[],\"from\":\"2030\"}");
            Eventually.until(
                    "it is shown again",
                    Child.LIMIT,
                    () -> ask(url, "/api/v1/queues/q-1/jobs").contains(OPEN));
        }
    }
}
