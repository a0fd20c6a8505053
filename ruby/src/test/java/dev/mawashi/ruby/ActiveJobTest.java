package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Debian's ActiveJob 6.1 runs on JRuby, under the names of Rails' wrapper and of Sidekiq 8's.
class ActiveJobTest {
    private static final String RAILS_WRAPPER =
            "ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper";
    private static final String SIDEKIQ_WRAPPER = "Sidekiq::ActiveJob::Wrapper";

    /// concurrent-ruby with the jar that Debian's lacks; the build unpacks it.
    private static final String JRUBY_GEMS = "target/jruby-gems";

    private static RubyRuntime ruby;
    private static RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        String gems = JRUBY_GEMS + ":" + SidekiqGemTest.GEMS;
        RubySettings settings =
                TestRuby.settings(
                        "src/test/ruby/apps/active_job.rb",
                        Map.of("GEM_PATH", gems),
                        new TestRuby.Kept());
        ruby = RubyRuntime.boot(settings);
        slot = ruby.runner().openSlot();
    }

    @AfterAll
    static void closeRuby() {
        slot.close();
        ruby.close();
    }

    @BeforeEach
    void forget() {
        seen();
    }

    @ParameterizedTest
    @ValueSource(strings = {RAILS_WRAPPER, SIDEKIQ_WRAPPER})
    void argumentsIdLocaleAndZoneArriveUnderEitherWrapper(String wrapper) {
        String job =
                """
                zone = "Hawaii"
                I18n.with_locale(:de) do
                  Time.use_zone(zone) { TellingJob.new(:a, 2.5, { "x" => [nil], y: 1.minute }).serialize }
                end
                """;
        assertThat(run(wrapper, "TellingJob", job)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen())
                .isEqualTo(
                        "[[[:a, 2.5, {\"x\" => [nil], y: 1 minute}], {}, \"j1\", :de, \"Hawaii\", nil]]");
        assertThat(ruby.eval("[I18n.locale, Time.zone.name].inspect").asJavaString())
                .isEqualTo("[:en, \"UTC\"]");
    }

    @Test
    void keywordsAreKeywordsAgain() {
        assertThat(run(RAILS_WRAPPER, "TellingJob", "TellingJob.new(1, y: 2).serialize"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).startsWith("[[[1], {y: 2}, \"j1\"");
    }

    @Test
    void aRecordIsFoundAgainAndOneThatIsGoneFailsTheJob() {
        run(RAILS_WRAPPER, "TellingJob", "TellingJob.new(Thing.new('7')).serialize");
        assertThat(seen()).startsWith("[[[\"thing 7\"], {}, \"j1\"");

        Outcome gone =
                run(RAILS_WRAPPER, "TellingJob", "TellingJob.new(Thing.new('gone')).serialize");

        assertThat(gone)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> {
                            assertThat(failed.errorClass())
                                    .isEqualTo("ActiveJob::DeserializationError");
                            assertThat(failed.message()).contains("no thing gone");
                        });
    }

    @Test
    void whatTheJobRetriesOrDiscardsItselfIsDone() {
        String last =
                "StubbornJob.new('x').serialize.merge('exception_executions' =>"
                        + " {'[ArgumentError]' => 1}, 'executions' => 1)";

        assertThat(run(RAILS_WRAPPER, "StubbornJob", "StubbornJob.new('key').serialize"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(run(RAILS_WRAPPER, "StubbornJob", last)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen()).isEqualTo("[[:discarded, \"no key\"], [:gave_up, \"run 2\"]]");
    }

    @Test
    void theWrappedClassIsAskedWhenToRetry() {
        Outcome.Failed failed =
                (Outcome.Failed) run(SIDEKIQ_WRAPPER, "AskedJob", "AskedJob.new.serialize");

        assertThat(failed.errorClass()).isEqualTo("RuntimeError");
        assertThat(failed.hint().delaySeconds()).hasValue(700);
    }

    @Test
    void attributesAndLocaleOfWhoeverEnqueuedAreThereInTheJobAndGoneAfterIt() {
        String extra = ",\"cattr\":{\"tenant\":\"acme\"},\"locale\":\"de\"";
        String job = "TellingJob.new.serialize.except('locale')";

        assertThat(run(RAILS_WRAPPER, "TellingJob", job, extra)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(run(RAILS_WRAPPER, "TellingJob", job)).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen())
                .isEqualTo(
                        "[[[], {}, \"j1\", :de, \"UTC\", \"acme\"], [[], {}, \"j1\", :en, \"UTC\", nil]]");
    }

    private static Outcome run(String wrapper, String wrapped, String job) {
        return run(wrapper, wrapped, job, "");
    }

    /// @param job Ruby code for what the wrapper is to get
    /// @param extra JSON text of more fields
    private static Outcome run(String wrapper, String wrapped, String job, String extra) {
        String payload =
                """
                {"class":"%s","wrapped":"%s","queue":"low","args":[%s],"jid":"j1","retry":true%s}\
                """
                        .formatted(
                                wrapper,
                                wrapped,
                                ruby.eval("JSON.generate(begin; " + job + "\nend)").asJavaString(),
                                extra);
        return slot.run("low", payload.getBytes(UTF_8));
    }

    private static String seen() {
        return ruby.eval("Array.new(SEEN.size) { SEEN.pop }.inspect").asJavaString();
    }
}
