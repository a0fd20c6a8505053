package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What pages say of a search.
final class SearchPagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Pattern ONWARD = Pattern.compile("href=\"([^\"]+)\" rel=\"next\"");

    private WebRig rig;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        rig = new WebRig(SERVER, Map.of());
        for (int i = 0; i < 30; i++) {
            String job = WebRig.job("j" + i, i % 10 == 0 ? ",\"tags\":[\"vip\"]" : "");
            rig.redis.call("ZADD", "dead", "" + (WebRig.NOW.getEpochSecond() - i), job);
            rig.redis.call("RPUSH", "queue:q", job);
        }
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private String page(String path) throws Exception {
        HttpResponse<String> answer = rig.get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dead", "/queues/q"})
    void eachPartSaysHowFarItIsAndLeadsOn(String path) throws Exception {
        List<String> said = new ArrayList<>();
        String next = path + "?tag=vip&limit=1";
        while (!next.isEmpty()) {
            String page = page(next);
            Matcher note = Pattern.compile("<span>(\\d+ found[^<]*)</span>").matcher(page);
            assertThat(note.find()).as(page).isTrue();
            said.add(note.group(1));
            assertThat(page)
                    .contains("name=\"tag\" value=\"vip\"", "<details class=\"further\" open");
            Matcher onward = ONWARD.matcher(page);
            next = onward.find() ? onward.group(1).replace("&amp;", "&") : "";
        }
        assertThat(said.getFirst()).contains("1 found, ", " of 30 looked at");
        assertThat(said).anyMatch(one -> one.startsWith("2 found, ") && !one.contains("100 %"));
        assertThat(said.getLast()).isEqualTo("3 found, 30 of 30 looked at, 100 %");
    }

    @Test
    void ofATimeOnlyWhatIsInItIsLookedAt() throws Exception {
        assertThat(page("/dead?after=-5s")).contains("6 found, 6 of 6 looked at", "-j5\"");
        assertThat(page("/dead?after=-5s")).doesNotContain("-j6\"");
        assertThat(page("/dead?older=1d")).contains("0 found, 30 of 30 looked at");
        assertThat(page("/dead?older=9m")).contains("30 found");
    }

    @Test
    void aTimeThatIsNoneIsToldWithTheRemedy() throws Exception {
        HttpResponse<String> answer = rig.get("/dead?older=%3Cb%3Esoon");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("older &lt;b&gt;soon is not a time: write 90, 90s");
    }

    @Test
    void withoutAFilterThereIsNoSearch() throws Exception {
        assertThat(page("/dead")).doesNotContain("looked at", "data-search", "further\" open");
        assertThat(page("/dead?found=7")).doesNotContain("7 found");
        assertThat(page("/dead?tag=vip&found=x")).contains("3 found");
    }
}
