package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.job.Outcome;
import java.util.HashMap;
import java.util.Map;

/// What server middleware sees of the job that it calls, and what others see of its changes.
class RubyMiddlewareTest {
    private static final String APP = "src/test/ruby/apps/middleware.rb";

    @EachOf({"", SidekiqGemTest.GEMS})
    void whatTheCallInsideAnswersIsWhatYieldAnswers(String gems) {
        try (RubyRuntime ruby = boot(gems, Map.of("KEEPING_LOGGER", "1"));
                RubySlot slot = ruby.runner().openSlot()) {
            assertThat(run(slot, "done")).isEqualTo(Outcome.SUCCEEDED);
            assertThat(told(ruby))
                    .isEqualTo(
                            "[[:answered, {\"result\" => \"done\"}], [:outer, :tenant], [:logger, :tenant]]");
        }
    }

    /// What is asked about the next try gets the job as it is in Redis.
    @EachOf({SidekiqGemTest.GEMS, ""})
    void errorHandlersFindWhatMiddlewarePutIntoTheJob(String gems) {
        try (RubyRuntime ruby = boot(gems, Map.of());
                RubySlot slot = ruby.runner().openSlot()) {
            assertThat(run(slot, "fail")).isInstanceOf(Outcome.Failed.class);
            assertThat(told(ruby)).isEqualTo("[[:failed, \"t1\"], [:retry_in, nil]]");

            assertThat(run(slot, "handled")).isEqualTo(Outcome.SUCCEEDED);
            assertThat(told(ruby)).isEqualTo("[[:failed, \"t1\"]]");
        }
    }

    private static RubyRuntime boot(String gems, Map<String, String> own) {
        Map<String, String> variables = new HashMap<>(own);
        if (!gems.isEmpty()) {
            variables.put("GEM_PATH", gems);
        }
        return RubyRuntime.boot(TestRuby.settings(APP, variables, new TestRuby.Kept()));
    }

    private static Outcome run(RubySlot slot, String deed) {
        return slot.run(
                "low",
                "{\"class\":\"AnsweringJob\",\"jid\":\"j1\",\"args\":[\"%s\"],\"retry\":true}"
                        .formatted(deed)
                        .getBytes(UTF_8));
    }

    private static String told(RubyRuntime ruby) {
        return ruby.eval("Array.new(TOLD.size) { TOLD.pop }.inspect").asJavaString();
    }
}
