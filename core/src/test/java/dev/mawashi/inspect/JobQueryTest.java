package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobQueryTest {
    private static final JobView JOB =
            JobView.of(
                    """
                    {"class":"ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper",\
                    "wrapped":"ReportJob","args":[{"arguments":[1, "a b"]}],"jid":"1f",\
                    "queue":"low","error_class":"Net::OpenTimeout","error_message":"too late"}\
                    """
                            .getBytes(StandardCharsets.UTF_8),
                    Redaction.NONE);

    private static JobQuery ofClass(String name) {
        return new JobQuery(Set.of(), name, "", "", "");
    }

    private static JobQuery ofError(String text) {
        return new JobQuery(Set.of(), "", "", text, "");
    }

    private static JobQuery ofText(String text) {
        return new JobQuery(Set.of(), "", "", "", text);
    }

    private static JobQuery ofJids(String... jids) {
        return new JobQuery(Set.of(jids), "", "", "", "");
    }

    @Test
    void nothingGivenMatchesAll() {
        assertThat(JobQuery.ALL.matches(JOB)).isTrue();
        assertThat(JobQuery.ALL.isAll()).isTrue();
        assertThat(ofClass("A").isAll()).isFalse();
    }

    @Test
    void aClassIsKnownByItsShownAndItsWrittenName() {
        assertThat(ofClass("ReportJob").matches(JOB)).isTrue();
        assertThat(ofClass("ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper").matches(JOB))
                .isTrue();
        assertThat(ofClass("Report").matches(JOB)).isFalse();
    }

    @Test
    void anErrorIsFoundByClassOrMessageAndTextInTheArguments() {
        assertThat(ofError("OpenTimeout").matches(JOB)).isTrue();
        assertThat(ofError("too late").matches(JOB)).isTrue();
        assertThat(ofError("early").matches(JOB)).isFalse();
        assertThat(ofText("[1,\"a b").matches(JOB)).isTrue();
        assertThat(ofText("ReportJob").matches(JOB)).isFalse();
    }

    @Test
    void allConditionsMustHold() {
        assertThat(new JobQuery(Set.of("1f", "2"), "ReportJob", "low", "", "").matches(JOB))
                .isTrue();
        assertThat(new JobQuery(Set.of("1f"), "ReportJob", "high", "", "").matches(JOB)).isFalse();
        assertThat(ofJids("2").matches(JOB)).isFalse();
    }

    @Test
    void whatIsNoJobIsFoundByItsTextOnly() {
        JobView odd = JobView.of("no json".getBytes(StandardCharsets.UTF_8), Redaction.NONE);
        assertThat(ofText("json").matches(odd)).isTrue();
        assertThat(ofClass("json").matches(odd)).isFalse();
    }

    @Test
    void redisIsAskedForTheLongestPlainWord() {
        assertThat(new JobQuery(Set.of("1f"), "ReportJob", "low", "", "").pattern())
                .contains("*ReportJob*");
        assertThat(ofError("Timeout").pattern()).contains("*Timeout*");
    }

    @Test
    void whatJsonOrRedisCouldWriteOtherwiseIsNotAskedFor() {
        assertThat(JobQuery.ALL.pattern()).isEmpty();
        assertThat(ofJids("1", "2").pattern()).isEmpty();
        assertThat(ofText("a b").pattern()).isEmpty();
        assertThat(ofText("\"a\":1").pattern()).isEmpty();
        assertThat(ofText("a:1").pattern()).isEmpty();
        assertThat(ofError("é").pattern()).isEmpty();
        assertThat(ofError("a*").pattern()).isEmpty();
        assertThat(ofError("[x]").pattern()).isEmpty();
        assertThat(ofClass("UserMailer#welcome").pattern()).isEmpty();
    }
}
