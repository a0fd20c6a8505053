package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Once the server stops, a job that ends early goes back to its queue, also in an app without
/// middleware of its own.
final class RubyStepsTest {
    private static final TestRuby.Kept KEPT = new TestRuby.Kept();
    private static RubyRuntime ruby;
    private static RubyRunner runner;

    @BeforeAll
    static void bootRuby() {
        RubySettings plain = TestRuby.settings(TestRuby.JOBS, Map.of(), KEPT);
        ruby =
                RubyRuntime.boot(
                        new RubySettings(
                                plain.flags(),
                                plain.processEnvironment(),
                                null,
                                KEPT,
                                _ -> List.of()));
        runner = ruby.runner();
        runner.announceStop();
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shutdown", "caused"})
    void aJobMayInterruptItselfOnceTheServerStops(String kind) {
        String payload = "{\"class\":\"RaisingJob\",\"args\":[\"%s\"]}".formatted(kind);
        RubySlot slot = runner.openSlot();

        assertThat(slot.run("low", payload.getBytes(UTF_8))).isEqualTo(Outcome.INTERRUPTED);
        slot.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"StepsJob", "OwnStepsJob"})
    void aJobThatEndsEarlyGoesBackToItsQueue(String jobClass) {
        KEPT.jobs.clear();
        String payload =
                "{\"class\":\"%s\",\"args\":[],\"jid\":\"j1\",\"queue\":\"low\",\"retry\":false}"
                        .formatted(jobClass);
        RubySlot slot = runner.openSlot();

        assertThat(slot.run("low", payload.getBytes(UTF_8))).isEqualTo(Outcome.SUCCEEDED);
        slot.close();

        assertThat(KEPT.jobs)
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.queue()).isEqualTo("low");
                    assertThat(new String(job.payload(), UTF_8)).contains("\"jid\":\"j1\"");
                });
    }
}
