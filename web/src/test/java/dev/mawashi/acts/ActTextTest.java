package dev.mawashi.acts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.operate.AuditEntry;
import dev.mawashi.operate.Author;
import dev.mawashi.operate.Report;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ActTextTest {
    private static String failed(Report report) {
        Author author = new Author("-", "admin", "-");
        return ActText.text(
                new AuditEntry(
                        "1",
                        Instant.EPOCH,
                        author,
                        "clear",
                        "queue:q",
                        "",
                        "all; lost the connection",
                        AuditEntry.State.FAILED,
                        report,
                        0));
    }

    @Test
    void aFailureOfWhichNothingIsKnownIsNoReportThatNothingWasDone() {
        assertThat(failed(Report.NOTHING))
                .isEqualTo(
                        "Clear of queue q failed, and may have been done in part or in whole: all;"
                                + " lost the connection");
        assertThat(failed(Report.touched(2)))
                .isEqualTo(
                        "2 jobs of queue q were deleted; then it failed, and more may have been"
                                + " done: all; lost the connection");
    }
}
