package dev.mawashi.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.inspect.JobEntry;
import dev.mawashi.inspect.JobView;
import dev.mawashi.wire.JobSet;
import dev.mawashi.wire.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttemptTest {
    private static List<String> attempts(JobSet set, String fields) {
        String payload = "{\"class\":\"A\",\"args\":[],\"jid\":\"j\"%s}".formatted(fields);
        JobView job = JobView.of(payload.getBytes(StandardCharsets.UTF_8), Redaction.NONE);
        return Attempt.of(new JobEntry(job, 1_000), set).stream()
                .map(one -> one.what() + one.at().map(at -> " " + at.getEpochSecond()).orElse(""))
                .toList();
    }

    @Test
    void aScheduledJobWasCreatedAndIsToRun() {
        assertThat(attempts(JobSet.SCHEDULE, ",\"created_at\":500.5"))
                .containsExactly("created 500", "runs 1000");
    }

    @Test
    void aRetryTellsItsFirstAndItsLastFailureAndWhichTryIsNext() {
        String once = ",\"retry\":5,\"retry_count\":0,\"failed_at\":600.5";
        assertThat(attempts(JobSet.RETRY, once))
                .containsExactly("try 1 failed 600", "try 2 of 6 1000");

        String often = ",\"retry\":true,\"retry_count\":4,\"failed_at\":600.5,\"retried_at\":900.5";
        assertThat(attempts(JobSet.RETRY, often))
                .containsExactly(
                        "try 1 failed 600",
                        "tries 2 to 4 failed",
                        "try 5 failed 900",
                        "try 6 1000");
    }

    @Test
    void aDeadJobWasGivenUp() {
        String fields = ",\"retry_count\":2,\"failed_at\":600.5,\"retried_at\":900.5";
        assertThat(attempts(JobSet.DEAD, fields))
                .containsExactly(
                        "try 1 failed 600", "try 2 failed", "try 3 failed 900", "given up 1000");
    }
}
