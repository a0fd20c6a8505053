package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jruby.runtime.ThreadContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Jobs are logged as Sidekiq logs them, and what they log themselves tells which job it was.
class RubyJobLogTest {
    private static final String APP = "src/test/ruby/apps/logs.rb";

    /// With Debian's sidekiq.
    @Nested
    class WithTheGem extends Logged {
        private static RubyRuntime booted;

        @BeforeAll
        static void boot() {
            booted =
                    RubyRuntime.boot(
                            TestRuby.settings(
                                    APP,
                                    Map.of("GEM_PATH", SidekiqGemTest.GEMS),
                                    new TestRuby.Kept()));
        }

        @AfterAll
        static void closeRuby() {
            booted.close();
        }

        WithTheGem() {
            super(booted);
        }
    }

    /// With what Mawashi ships.
    @Nested
    class WithoutTheGem extends Logged {
        private static RubyRuntime booted;

        @BeforeAll
        static void boot() {
            booted = TestRuby.boot(APP);
        }

        @AfterAll
        static void closeRuby() {
            booted.close();
        }

        WithoutTheGem() {
            super(booted);
        }

        @Test
        void itsJobLoggerCanBeSkipped() {
            openSlot("Sidekiq.default_configuration[:skip_default_job_logging] = true");
            run("1", "\"hello\"");
            ruby.eval("Sidekiq.default_configuration[:skip_default_job_logging] = nil");

            assertThat(logged()).isEqualTo("WARN hello class=LogJob jid=1");
        }

        @Test
        void theAppChoosesWhatIsLoggedOfAJob() {
            ruby.eval("Sidekiq.default_configuration[:logged_job_attributes] = %w[tenant]");
            run("{\"class\":\"LogJob\",\"jid\":\"1\",\"args\":[],\"tenant\":7,\"tags\":[\"a\"]}");
            ruby.eval("Sidekiq.default_configuration[:logged_job_attributes] = %w[bid tags]");

            assertThat(logged()).startsWith("INFO start class=LogJob jid=1 tenant=7\n");
        }
    }

    /// What must hold with and without the gem.
    abstract static class Logged {
        final RubyRuntime ruby;
        private RubySlot slot;

        Logged(RubyRuntime ruby) {
            this.ruby = ruby;
            slot = ruby.runner().openSlot();
        }

        @BeforeEach
        void forget() {
            logged();
            ruby.eval("TOLD.clear");
        }

        @AfterEach
        void closeSlot() {
            ruby.eval("Sidekiq.logger.level = Logger::INFO");
            slot.close();
        }

        /// A slot of an app that has changed something after it was loaded.
        void openSlot(String change) {
            slot.close();
            ThreadContext context = ruby.eval(change).getRuntime().getCurrentContext();
            slot = new RubySlot(LoadedApp.of(context, ruby.eval(gem())));
        }

        private String gem() {
            return "Mawashi::SidekiqGem.new('" + ruby.sidekiqVersion() + "')";
        }

        Outcome run(String payload) {
            return slot.run("low", payload.getBytes(UTF_8));
        }

        Outcome run(String jid, String args) {
            return run("{\"class\":\"LogJob\",\"jid\":\"" + jid + "\",\"args\":[" + args + "]}");
        }

        String logged() {
            return ruby.eval("logged").asJavaString();
        }

        @Test
        void startAndEndStandAroundWhatTheJobLogs() {
            run("{\"class\":\"LogJob\",\"jid\":\"1\",\"args\":[\"hello\"],\"tags\":[\"a\",\"b\"]}");

            assertThat(logged())
                    .isEqualTo(
                            """
                            INFO start class=LogJob jid=1 tags=a,b
                            WARN hello class=LogJob jid=1 tags=a,b
                            INFO done class=LogJob jid=1 tags=a,b\
                            """);
        }

        @Test
        void whatItWritesByItselfIsWhatSidekiqsJobLoggerWould() {
            List<String> jobs =
                    Stream.of(
                                    "'args':[]",
                                    "'args':['hello']",
                                    "'args':['with']",
                                    "'args':['add']",
                                    "'args':['raise'],'retry':false",
                                    "'args':[],'wrapped':'Shop::MailJob'",
                                    "'args':['hello'],'tags':['a','b'],'bid':'b1'",
                                    "'args':[],'tags':null",
                                    "'args':[],'display_class':'Shown'",
                                    "'args':[],'log_level':'debug'",
                                    "'args':[],'wrapped':'quoted\\\" \\u00e9'")
                            .map(fields -> "{'class':'LogJob','jid':'j-1'," + fields + "}")
                            .map(payload -> payload.replace('\'', '"'))
                            .toList();
            for (String form : List.of("Pretty", "WithoutTimestamp", "JSON")) {
                openSlot("write_plainly(:" + form + ")");
                try {
                    for (String payload : jobs) {
                        Outcome _ = run(payload);
                        String ours = ruby.eval("written").asJavaString();
                        ruby.eval("sidekiqs(%s, %%q~%s~)".formatted(gem(), payload));

                        assertThat(ours)
                                .as(payload)
                                .contains("start")
                                .isEqualTo(ruby.eval("written").asJavaString());
                    }
                } finally {
                    ruby.eval("write_as_before");
                }
            }
        }

        @Test
        void aFailureIsLoggedAndToldWithItsJob() {
            run("1", "\"raise\"");

            assertThat(logged())
                    .startsWith(
                            "INFO start class=LogJob jid=1\nINFO fail class=LogJob jid=1\nWARN ")
                    .contains("told to")
                    .doesNotContain("done");
            assertThat(ruby.eval("TOLD.pop(true).inspect").asJavaString())
                    .isEqualTo("[RuntimeError, \"told to\", \"Job raised exception\", nil]");
        }

        @Test
        void theWrappedClassIsTheOneThatCounts() {
            run("{\"class\":\"LogJob\",\"wrapped\":\"ShopJob\",\"jid\":\"1\",\"args\":[]}");

            assertThat(logged())
                    .isEqualTo("INFO start class=ShopJob jid=1\nINFO done class=ShopJob jid=1");
        }

        @Test
        void aboveInfoAJobIsLoggedOnlyByItself() {
            openSlot("Sidekiq.logger.level = Logger::WARN");
            run("1", "");
            run("2", "\"hello\"");
            run("3", "\"with\"");
            run("4", "\"add\"");
            run("5", "\"hello\"");

            assertThat(logged())
                    .isEqualTo(
                            """
                            WARN hello class=LogJob jid=2
                            WARN with class=LogJob jid=3
                            WARN within class=LogJob jid=3 step=2
                            WARN add class=LogJob jid=4
                            WARN hello class=LogJob jid=5\
                            """);
        }

        @Test
        void noOtherThreadSeesTheJobOfASlotThatIsQuiet() {
            openSlot("Sidekiq.logger.level = Logger::WARN");
            ruby.eval(
                    """
                    class ThreadJob
                      include Sidekiq::Job
                      def perform(*)
                        mine = Sidekiq::Context.current
                        Thread.new { Thread.current[:sidekiq_context] = mine; logger.warn("hi") }.join
                      end
                    end
                    """);
            run("{\"class\":\"ThreadJob\",\"jid\":\"1\",\"args\":[]}");

            assertThat(logged()).isEqualTo("WARN hi");
        }

        @Test
        void aJobMayAskForALevelOfItsOwn() {
            openSlot("Sidekiq.logger.level = Logger::WARN");
            run("{\"class\":\"LogJob\",\"jid\":\"1\",\"args\":[],\"log_level\":\"info\"}");
            run("{\"class\":\"LogJob\",\"jid\":\"2\",\"args\":[],\"log_level\":null}");

            assertThat(logged())
                    .isEqualTo("INFO start class=LogJob jid=1\nINFO done class=LogJob jid=1");
        }

        @Test
        void theAppsOwnJobLoggerIsCalledAtAnyLevel() {
            openSlot("Sidekiq.logger.level = Logger::WARN; OPTIONS[:job_logger] = OwnJobLogger");
            run("1", "");
            ruby.eval("OPTIONS[:job_logger] = nil");

            assertThat(logged()).isEqualTo("ERROR own 1 low class=LogJob jid=1");
        }

        @Test
        void middlewareSeesThePayloadThatTheJobLoggerSees() {
            openSlot(gem() + ".server_middleware.add(Retag)");
            run("1", "\"raise\"");
            ruby.eval(gem() + ".server_middleware.clear");

            assertThat(logged()).contains("WARN from middleware class=LogJob jid=1\nINFO done");
        }

        @Test
        void whatIsSaidWhenAJobIsGivenUpKnowsTheJobAndTheNextOneDoesNot() {
            openSlot("Sidekiq.logger.level = Logger::WARN");
            ruby.eval(gem() + ".death_handlers << ->(*) { Sidekiq.logger.warn('dead') }");
            String payload = "{\"class\":\"LogJob\",\"jid\":\"1\",\"args\":[\"raise\"]}";
            run(payload);
            logged();
            slot.giveUp(payload.getBytes(UTF_8), GiveUp.EXHAUSTED);
            run("2", "\"hello\"");
            ruby.eval(gem() + ".death_handlers.clear");

            assertThat(logged())
                    .isEqualTo("WARN dead class=LogJob jid=1\nWARN hello class=LogJob jid=2");
        }

        @Test
        void errorHandlersAreToldOfAPayloadThatIsNoJob() {
            assertThat(run("{\"class\":")).isInstanceOf(Outcome.Malformed.class);

            assertThat(ruby.eval("TOLD.pop(true).inspect").asJavaString())
                    .startsWith("[JSON::ParserError, \"")
                    .endsWith("\", \"Invalid JSON for job\", \"{\\\"class\\\":\"]");
        }

        @Test
        void aPayloadWithoutAClassIsToldToo() {
            run("{\"jid\":\"1\",\"args\":[]}");

            assertThat(ruby.eval("TOLD.pop(true)[0]").toString()).isEqualTo("NameError");
            assertThat(logged()).contains("INFO fail jid=1").doesNotContain("done");
        }

        @Test
        void theSlotSurvivesAJobThatUsesUpTheStack() {
            Outcome outcome = run("{\"class\":\"DeepJob\",\"jid\":\"1\",\"args\":[]}");

            assertThat(outcome).isInstanceOf(Outcome.Failed.class);
            assertThat(run("2", "")).isEqualTo(Outcome.SUCCEEDED);
        }
    }
}
