package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Recorded;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobViewTest {
    private static final String OLD = "ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper";
    private static final String NEW = "Sidekiq::ActiveJob::Wrapper";

    private static JobView view(String payload) {
        return JobView.of(payload.getBytes(StandardCharsets.UTF_8), Redaction.NONE);
    }

    private static JobView wrapped(String wrapper, String wrapped, String arguments) {
        return view(
                """
                {"class":"%s","wrapped":"%s","args":[{"job_class":"%s","arguments":%s}]}\
                """
                        .formatted(wrapper, wrapped, wrapped, arguments));
    }

    @Test
    void aPlainJobIsShownAsItIs() {
        JobView job =
                view(
                        """
                        {"class":"Report","args":[1, {"a": "b c"}],"jid":"1f","queue":"low",\
                        "retry_count":2,"error_class":"E","error_message":"no",\
                        "created_at":1795225700.25,"failed_at":1795225701500}\
                        """);

        assertThat(job.problem()).isNull();
        assertThat(job.jobClass()).isEqualTo("Report");
        assertThat(job.args()).isEqualTo("[1,{\"a\":\"b c\"}]");
        assertThat(job.jid()).isEqualTo("1f");
        assertThat(job.queue()).isEqualTo("low");
        assertThat(job.error()).isEqualTo("E: no");
        assertThat(job.retryCount()).hasValue(2);
        assertThat(job.time("created_at")).contains(Instant.parse("2026-11-21T01:48:20.250Z"));
        assertThat(job.time("failed_at")).contains(Instant.parse("2026-11-21T01:48:21.500Z"));
        assertThat(job.time("enqueued_at")).isEmpty();
    }

    @Test
    void activeJobIsUnwrappedUnderBothNames() {
        for (String wrapper : new String[] {OLD, NEW}) {
            JobView job = wrapped(wrapper, "ReportJob", "[1, \"a\"]");

            assertThat(job.jobClass()).isEqualTo("ReportJob");
            assertThat(job.args()).isEqualTo("[1,\"a\"]");
        }
    }

    @Test
    void mailsAreShownByMailerAndMethod() {
        JobView mail =
                wrapped(
                        OLD,
                        "ActionMailer::MailDeliveryJob",
                        "[\"UserMailer\",\"welcome\",\"deliver_now\",{\"args\":[7,\"Ann\"]}]");
        assertThat(mail.jobClass()).isEqualTo("UserMailer#welcome");
        assertThat(mail.args()).isEqualTo("[7,\"Ann\"]");

        JobView old =
                wrapped(OLD, "ActionMailer::DeliveryJob", "[\"M\",\"bye\",\"deliver_now\",3]");
        assertThat(old.jobClass()).isEqualTo("M#bye");
        assertThat(old.args()).isEqualTo("[3]");
    }

    @Test
    void aWrapperAroundSomethingElseBreaksNothing() {
        for (String args : new String[] {"[]", "[1]", "[{}]", "7", "null", "[{\"arguments\":1}]"}) {
            JobView job =
                    view(
                            """
                            {"class":"%s","wrapped":"W","args":%s}\
                            """
                                    .formatted(OLD, args));
            assertThat(job.jobClass()).as(args).isIn("W", OLD);
            assertThat(job.args()).as(args).isNotEmpty();
        }
        assertThat(view("{\"class\":\"%s\",\"args\":[\"Old\"]}".formatted(OLD)).jobClass())
                .isEqualTo("Old");
    }

    @Test
    void aContinuationsProgressIsNoArgument() {
        JobView job = view(Recorded.lines("continuation-8.1.3.txt").getFirst());

        assertThat(job.problem()).isNull();
        assertThat(job.jobClass()).isEqualTo("StepsJob");
        assertThat(job.args()).isEqualTo("[\"b-iso\",\"gate\"]");
    }

    @Test
    void displayClassComesFirst() {
        assertThat(view("{\"class\":\"A\",\"display_class\":\"B\"}").jobClass()).isEqualTo("B");
    }

    @Test
    void encryptedDataIsNotShown() {
        assertThat(view("{\"class\":\"A\",\"args\":[1,\"xyz\"],\"encrypt\":true}").args())
                .isEqualTo("[1,\"[encrypted data]\"]");
        assertThat(view("{\"class\":\"A\",\"args\":[],\"encrypt\":true}").args()).isEqualTo("[]");
        assertThat(view("{\"class\":\"A\",\"args\":[1,\"x\"],\"encrypt\":false}").args())
                .isEqualTo("[1,\"x\"]");
    }

    @Test
    void whatIsNoJobSaysWhyAndCanBeLookedAt() {
        JobView job = view("no json");

        assertThat(job.problem()).contains("byte 0");
        assertThat(job.raw()).isEqualTo("no json");
        assertThat(job.jid() + job.jobClass() + job.queue() + job.args() + job.error()).isEmpty();
        assertThat(job.retryCount()).isEmpty();
        assertThat(job.time("created_at")).isEmpty();
    }

    @Test
    void fieldsOfOddTypesAreShownAsTheirJson() {
        JobView job =
                view("{\"class\":[1],\"jid\":7,\"queue\":null,\"error_class\":{},\"args\":1}");

        assertThat(job.jobClass()).isEqualTo("[1]");
        assertThat(job.jid()).isEqualTo("7");
        assertThat(job.queue()).isEmpty();
        assertThat(job.error()).isEqualTo("{}");
        assertThat(job.args()).isEqualTo("1");
    }
}
