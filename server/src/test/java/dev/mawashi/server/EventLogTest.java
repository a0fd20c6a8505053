package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the log says of jobs whose processes died: which, and why.
final class EventLogTest {
    private static final Event.JobName FIRST = new Event.JobName("low", "Archive", "a1");
    private static final Event.JobName SECOND = new Event.JobName("low", "", "");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final EventLog log = new EventLog();

    @BeforeEach
    void listen() {
        Logging.to(new PrintStream(bytes, true, StandardCharsets.UTF_8), Level.INFO, false);
    }

    @AfterEach
    void backToStderr() {
        Logging.to(System.err, Level.INFO, false);
    }

    private String line(Event event) {
        bytes.reset();
        log.on(event);
        assertThat(bytes.toString(StandardCharsets.UTF_8)).hasLineCount(1);
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void recoveredJobsAreNamed() {
        assertThat(line(new Event.JobsRecovered("low", List.of("box:1:a"), 1, List.of(FIRST))))
                .endsWith(
                        "WARN: recovered 1 jobs of dead processes queue=low owners=[box:1:a]"
                                + " jobs=[Archive a1]");
        assertThat(
                        line(
                                new Event.JobsRecovered(
                                        "low", List.of("box:1:a"), 7, List.of(FIRST, SECOND))))
                .endsWith(" jobs=[Archive a1, , ...]");
    }

    @Test
    void whatBecomesOfASuspectIsToldStepByStep() {
        assertThat(line(new Event.JobsSuspected("low", 1, List.of(FIRST))))
                .endsWith(
                        "WARN: 1 jobs were in hand when a process died again and will be run alone"
                                + " queue=low jobs=[Archive a1]");
        assertThat(line(new Event.SuspectRuns(FIRST, 2)))
                .endsWith(
                        "INFO: job runs alone, its process died 2 times while it did: class=Archive"
                                + " jid=a1 queue=low");
        assertThat(line(new Event.SuspectGivenUp(FIRST, 3)))
                .endsWith(
                        "WARN: job is given up, its process died each of the 3 times that it ran"
                                + " alone: class=Archive jid=a1 queue=low");
    }

    @Test
    void aBurialHasItsReason() {
        assertThat(line(new Event.JobBuried(FIRST, "killed by Mawashi::ProcessCrashed")))
                .endsWith(
                        "WARN: job went to the dead set: killed by Mawashi::ProcessCrashed"
                                + " class=Archive jid=a1 queue=low");
    }
}
