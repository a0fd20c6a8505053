package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What pages show of Resque.
final class FailedPagesIT {
    @RegisterExtension static final PageRig RIG = new PageRig();

    private static final Pattern NEXT = Pattern.compile("href=\"([^\"]+)\" rel=\"next\"");

    private static void fail(String list, String jobClass, String more) {
        RIG.redis()
                .call(
                        "RPUSH",
                        "resque:" + list,
                        ("{\"failed_at\":\"2026/11/24 12:00:00 UTC\",\"payload\":{\"class\":\"%s\","
                                        + "\"args\":[{\"id\":7}]},\"exception\":\"IOError\",\"error\":"
                                        + "\"no disk\",\"worker\":\"host:1:mail\",\"queue\":\"mail\""
                                        + "%s}")
                                .formatted(jobClass, more));
    }

    private static String next(String page) {
        Matcher matcher = NEXT.matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1).replace("&amp;", "&");
    }

    @Test
    void withoutResqueTheListSaysWhereSidekiqsFailuresAre() throws Exception {
        assertThat(RIG.page("/failed")).contains("/retries", "/dead");
        assertThat(RIG.page("/queues")).doesNotContain("Resque");
        assertThat(RIG.page("/processes")).doesNotContain("Resque");
    }

    @Test
    void failuresAreListedNewestFirstAndOneIsShownWhole() throws Exception {
        fail("failed", "First", "");
        fail(
                "failed",
                "Second",
                ",\"backtrace\":[\"/srv/shop/app/mail.rb:3:in 'perform'\","
                        + "\"/var/gems/resque-3.0/lib/resque/job.rb:1\"]");
        String list = RIG.page("/failed");

        assertThat(list).contains("IOError: no disk", "/failed/failed/1");
        assertThat(list.indexOf("Second")).isLessThan(list.indexOf("First"));
        assertThat(RIG.page("/failed/failed/1"))
                .contains("<h1>Second</h1>", "no disk", "<pre>{\"id\":7}</pre>", "app/mail.rb:3")
                .contains("1 line of a gem", "host:1:mail");
        for (String path : List.of("/failed/failed/2", "/failed/failed/x", "/failed/queue:a/0")) {
            assertThat(RIG.get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void onlyFailureListsCanBeRead() throws Exception {
        RIG.redis().call("RPUSH", "resque:queue:secret", "{\"class\":\"Hidden\",\"args\":[]}");

        assertThat(RIG.get("/failed/queue:secret/0").statusCode()).isEqualTo(404);
        assertThat(RIG.page("/failed?list=queue:secret")).doesNotContain("Hidden");
    }

    @Test
    void manyArePagedFromTheNewestAndNoneIsLeftOutWhenOthersCome() throws Exception {
        for (int i = 0; i < 120; i++) {
            fail("failed", "Job" + i + "x", "");
        }
        String first = RIG.page("/failed");
        fail("failed", "Newer", "");
        String second = RIG.page(next(first));

        assertThat(first).contains("Job119x", "Job70x").doesNotContain("Job69x");
        assertThat(second).contains("Job69x", "Job20x").doesNotContain("Job70x", "Newer");
        assertThat(RIG.page(next(second))).contains("Job0x").doesNotContain("rel=\"next\"");
    }

    @Test
    void aFilterFindsWhatMeetsAllOfIt() throws Exception {
        for (int i = 0; i < 300; i++) {
            fail("failed", i % 100 == 0 ? "Rare" : "Common", "");
        }

        assertThat(RIG.page("/failed?class=Rare")).contains("3 found among 300");
        assertThat(RIG.page("/failed?class=Rare&error=tape")).contains("0 found among 300");
        assertThat(RIG.page("/failed?class=Common")).contains("50 found among 50", "Look on");
    }

    @Test
    void queuesOwnListsAreChosenByTheirNames() throws Exception {
        RIG.redis().call("SADD", "resque:failed_queues", "mail_failed");
        fail("mail_failed", "OfMail", "");
        fail("failed", "OfAll", "");

        assertThat(RIG.page("/failed")).contains("mail_failed 1", "OfAll").doesNotContain("OfMail");
        assertThat(RIG.page("/failed?list=mail_failed"))
                .contains("OfMail", "/failed/mail_failed/0");
    }

    @Test
    void nothingThatAnAppWritesBecomesHtml() throws Exception {
        RIG.redis().call("RPUSH", "resque:failed", "<script>x</script>");
        fail("failed", "<script>y</script>", ",\"retried_at\":\"<script>z</script>\"");
        RIG.redis().call("SADD", "resque:queues", "<script>q</script>");
        RIG.redis().call("SADD", "resque:workers", "h:1:<script>w</script>");

        for (String path :
                List.of(
                        "/failed",
                        "/failed/failed/0",
                        "/failed/failed/1",
                        "/queues",
                        "/processes")) {
            assertThat(RIG.page(path))
                    .as(path)
                    .contains("&lt;script&gt;")
                    .doesNotContain("<script>");
        }
    }

    @Test
    void queuesWorkersAndWhatRunsStandBesideSidekiqs() throws Exception {
        RIG.redis().call("SADD", "resque:queues", "mail");
        RIG.redis().call("RPUSH", "resque:queue:mail", "{}", "{}", "{}");
        RIG.redis().call("SADD", "resque:workers", "host:1:mail");
        RIG.redis()
                .call(
                        "SET",
                        "resque:worker:host:1:mail",
                        "{\"queue\":\"mail\",\"run_at\":\"2026-11-24T12:00:00Z\",\"payload\":"
                                + "{\"class\":\"Letter\",\"args\":[]}}");

        assertThat(RIG.page("/queues"))
                .containsPattern("(?s)Resque's queues.*mail.*class=\"n\">3<.*class=\"n\">1<");
        assertThat(RIG.page("/processes")).contains("Resque's workers", "host:1:mail");
        assertThat(RIG.page("/busy")).contains("Letter", "host:1:mail");
    }

    @Test
    void whoMayNotReadResquesKeysSeesSidekiqsAllTheSame() throws Exception {
        RIG.redis().call("SADD", "resque:queues", "mail");
        RIG.redis().call("SADD", "queues", "low");
        RIG.redis()
                .call(
                        "ACL",
                        "SETUSER",
                        "sidekiq",
                        "on",
                        ">pass",
                        "~queue*",
                        "~processes",
                        "~stat:*",
                        "~paused",
                        "~schedule",
                        "~retry",
                        "~dead",
                        "~mw:*",
                        "+@all");
        String url = RIG.redisUrl().replace("redis://", "redis://sidekiq:pass@");

        assertThat(RIG.getWith(url, "/queues").body())
                .contains("/queues/low")
                .doesNotContain("Resque's queues");
        assertThat(RIG.getWith(url, "/busy").statusCode()).isEqualTo(200);
        assertThat(RIG.getWith(url, "/processes").statusCode()).isEqualTo(200);
        assertThat(RIG.getWith(url, "/failed").statusCode()).isEqualTo(502);
    }

    @Test
    void queuesAreSortedByWhatIsAskedFor() throws Exception {
        RIG.redis().call("SADD", "queues", "a", "b", "c");
        RIG.redis().call("LPUSH", "queue:b", "{}", "{}");
        RIG.redis().call("LPUSH", "queue:c", "{}");
        String byDepth = RIG.page("/queues?sort=waiting");
        String byName = RIG.page("/queues?sort=%3Cscript%3E");

        assertThat(byDepth.indexOf("/queues/b")).isLessThan(byDepth.indexOf("/queues/c"));
        assertThat(byDepth.indexOf("/queues/c")).isLessThan(byDepth.indexOf("/queues/a"));
        assertThat(byName.indexOf("/queues/a")).isLessThan(byName.indexOf("/queues/b"));
    }
}
