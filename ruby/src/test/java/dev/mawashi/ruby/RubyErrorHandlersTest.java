package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint.Verdict;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An app's error handlers are told what Sidekiq would tell them, with as many arguments as they
/// take.
class RubyErrorHandlersTest {
    private static final String APP = "src/test/ruby/apps/handlers.rb";

    /// Without gems.
    private static RubyRuntime shared;

    @BeforeAll
    static void bootRuby() {
        shared = boot("");
    }

    @AfterAll
    static void closeRuby() {
        shared.close();
    }

    @Test
    void handlersOfEveryShapeAreToldAndNoneStopsTheOthers() {
        assertAllAreTold(shared);
    }

    @Test
    void soTheyAreByTheGem() {
        try (RubyRuntime ruby = boot(SidekiqGemTest.GEMS)) {
            assertAllAreTold(ruby);
        }
    }

    private static void assertAllAreTold(RubyRuntime ruby) {
        try (RubySlot slot = ruby.runner().openSlot()) {
            Outcome.Failed failed = (Outcome.Failed) run(slot, "fail");

            assertThat(failed.errorClass()).isEqualTo("IOError");
            assertThat(failed.hint().verdict()).isEqualTo(Verdict.RETRY);
            assertThat(failed.hint().delaySeconds()).isEmpty();
            // Sidekiq hands its settings on since version 7.
            String more = ruby.sidekiqVersion().startsWith("6.") ? "[]" : "[\"Sidekiq::Config\"]";
            assertThat(told(ruby))
                    .isEqualTo(
                            "[[:one, \"it failed\"], [:two, \"Job raised exception\"], [:more, "
                                    + more
                                    + "], [:object, \"IOError\", \"j1\"],"
                                    + " [:one, \"no idea when\"], [:two, \"Failure scheduling retry"
                                    + " using the defined `sidekiq_retry_in` in FailingJob,"
                                    + " falling back to default\"], [:more, "
                                    + more
                                    + "], [:object, \"RuntimeError\", nil]]");
        }
    }

    @Test
    void whatAMiddlewareHasSeenToIsDoneAndToldUnlessItIsToBeSkipped() {
        try (RubySlot slot = shared.runner().openSlot()) {
            assertThat(run(slot, "Handled")).isEqualTo(Outcome.SUCCEEDED);
            assertThat(told(shared))
                    .startsWith("[[:one, \"seen to\"], [:two, \"Job raised exception\"]");

            assertThat(run(slot, "Skip")).isEqualTo(Outcome.SUCCEEDED);
            assertThat(told(shared)).isEqualTo("[]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "Thread.current.kill", "throw :x", "raise Exception"})
    void aHandlerThatDoesNotComeBackChangesNothingInTheFailure(String end) {
        try (RubySlot slot = shared.runner().openSlot()) {
            shared.eval("Sidekiq.default_configuration.error_handlers << ->(*) { " + end + " }");
            Outcome.Failed failed = (Outcome.Failed) run(slot, "fail");

            assertThat(failed.errorClass()).isEqualTo("IOError");
            assertThat(failed.message()).isEqualTo("it failed");
        } finally {
            shared.eval("Sidekiq.default_configuration.error_handlers.pop");
            told(shared);
        }
    }

    private static RubyRuntime boot(String gems) {
        Map<String, String> variables = gems.isEmpty() ? Map.of() : Map.of("GEM_PATH", gems);
        return RubyRuntime.boot(TestRuby.settings(APP, variables, new TestRuby.Kept()));
    }

    private static Outcome run(RubySlot slot, String deed) {
        return slot.run(
                "low",
                "{\"class\":\"FailingJob\",\"jid\":\"j1\",\"args\":[\"%s\"],\"retry\":true}"
                        .formatted(deed)
                        .getBytes(UTF_8));
    }

    private static String told(RubyRuntime ruby) {
        return ruby.eval("Array.new(TOLD.size) { TOLD.pop }.inspect").asJavaString();
    }
}
