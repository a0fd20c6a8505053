package dev.mawashi.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LinksTest {
    @ParameterizedTest
    @CsvSource({"a b/c,a%20b%2Fc", "..,%2E%2E", ".,%2E", "a..b,a..b", "é%,%C3%A9%25", "+,%2B"})
    void aNameIsOnePartOfAPath(String name, String segment) {
        assertThat(Links.segment(name)).isEqualTo(segment);
    }

    @ParameterizedTest
    @CsvSource({"1795490260.9121106,179", "0.5,0.5", "1e20,100"})
    void aScoreHasNoExponent(double score, String beginning) {
        assertThat(Double.parseDouble(Links.score(score))).isEqualTo(score);
        assertThat(Links.score(score)).doesNotContain("E").startsWith(beginning);
        assertThat(Links.score(Double.NEGATIVE_INFINITY)).isEqualTo("-inf");
    }

    @Test
    void anEntryIsKnownByScoreAndJid() {
        JobView job =
                JobView.of("{\"jid\":\"abc\"}".getBytes(StandardCharsets.UTF_8), Redaction.NONE);
        assertThat(Links.key(new JobEntry(job, 12.5))).isEqualTo("12.5-abc");
    }

    @Test
    void aQueryLeavesOutWhatIsEmpty() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("class", "");
        fields.put("error", "a&b=c");
        assertThat(Links.query(fields)).isEqualTo("?error=a%26b%3Dc");
        assertThat(Links.query(Map.of())).isEmpty();
    }

    @Test
    void spansAndTimesAreShownInTwoUnits() {
        assertThat(Show.span(-1)).isEqualTo("0.0 s");
        assertThat(Show.span(9.94)).isEqualTo("9.9 s");
        assertThat(Show.span(75)).isEqualTo("1 min 15 s");
        assertThat(Show.span(7_260)).isEqualTo("2 h 1 min");
        assertThat(Show.span(900)).isEqualTo("15 min");
        assertThat(Show.span(7_230)).isEqualTo("2 h");
        assertThat(Show.span(180_000)).isEqualTo("2 d 2 h");
        Instant now = Instant.parse("2026-11-24T12:00:00.5Z");
        assertThat(Show.relative(now.plusSeconds(65), now)).isEqualTo("in 1 min 5 s");
        assertThat(Show.relative(now.minusSeconds(65), now)).isEqualTo("1 min 5 s ago");
        assertThat(Show.exact(now)).isEqualTo("2026-11-24T12:00:00Z");
        assertThat(Show.cut("abcdef", 3)).isEqualTo("ab…");
    }

    @Test
    void linesOfGemsAreKnownByTheirPath() {
        assertThat(Show.isOfGem("/usr/lib/ruby/gems/3.1.0/gems/rack-3/lib/rack.rb:1")).isTrue();
        assertThat(Show.isOfGem("<internal:kernel>:187:in `loop'")).isTrue();
        assertThat(Show.isOfGem("/srv/shop/app/jobs/report_job.rb:14:in `total'")).isFalse();
    }
}
