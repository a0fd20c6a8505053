package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint.Retry;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jruby.runtime.builtin.IRubyObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An app with Debian's sidekiq gem runs as it does under Sidekiq's own command.
class SidekiqGemTest {
    static final String GEMS = "/usr/share/rubygems-integration/all";
    private static RubyRuntime ruby;
    private static RubySlot slot;
    private static String seenAtBoot;

    @BeforeAll
    static void bootRuby() {
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("high", 3);
        queues.put("low", 0);
        ruby =
                RubyRuntime.boot(
                        new RubySettings(
                                new AppFlags(
                                        "src/test/ruby/apps/gem.rb",
                                        "",
                                        "test",
                                        null,
                                        2,
                                        4.0,
                                        queues),
                                TestRuby.environment(Map.of("GEM_PATH", GEMS)),
                                null,
                                new TestRuby.Kept(),
                                TestRuby.NO_STATES));
        seenAtBoot = seen();
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

    @Test
    void theAppsOwnGemIsUsed() {
        assertThat(Path.of(GEMS, "specifications", "sidekiq-" + ruby.sidekiqVersion() + ".gemspec"))
                .exists();
        assertThat(ruby.eval("OPTIONS[:concurrency]").toString()).isEqualTo("2");
        assertThat(ruby.jobClassNames()).contains("GemJob");
    }

    @Test
    void theGemGetsTheFlagsInItsOwnFormAndTheServerWhatTheAppMadeOfThem() {
        assertThat(ruby.eval("[*queues, OPTIONS[:timeout]].inspect").asJavaString())
                .isEqualTo("[[\"high\", \"high\", \"high\", \"low\"], false, 4]");

        AppSettings settings = ruby.settings();

        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        queues.put("high", 3);
        queues.put("low", ruby.sidekiqVersion().startsWith("6.") ? 1 : 0); // either is one of four
        assertThat(settings)
                .isEqualTo(
                        new AppSettings(
                                4.0,
                                "set by the app",
                                List.of(),
                                25,
                                10_000,
                                15_552_000,
                                List.of(new AppSettings.Pool("default", 2, queues)),
                                settings.origins(),
                                AppSettings.NO_PERIODIC));
        assertThat(settings.place("timeout")).isEqualTo("-t");
        assertThat(settings.place("tag")).isEqualTo("the app");
        assertThat(settings.place("capsules.default.queues")).isEqualTo("-q");
        assertThat(settings.place("max_retries")).isEqualTo(AppSettings.DEFAULT);
        assertThat(settings.capsules().getFirst().queues().firstEntry().getKey()).isEqualTo("high");
    }

    @Test
    void whatTheAppSetsWronglyIsNamed() {
        ruby.eval("OPTIONS[:dead_max_jobs] = :plenty");
        try {
            assertThatThrownBy(() -> ruby.settings())
                    .isInstanceOf(RubyBootFailure.class)
                    .hasMessageContaining("dead_max_jobs is :plenty, must be a number, 0 or more");
        } finally {
            ruby.eval("OPTIONS[:dead_max_jobs] = 10_000");
        }
    }

    @Test
    void serverBlocksRunAndClientBlocksDoNot() {
        assertThat(seenAtBoot).isEqualTo("[[:server]]");
    }

    @Test
    void middlewareRunsInOrderAroundPerformAndMayChangeTheArguments() {
        assertThat(run("{\"class\":\"GemJob\",\"jid\":\"j1\",\"args\":[1]}"))
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen())
                .isEqualTo(
                        "[[\"outer\", \"GemJob\", \"j1\", \"low\"], [\"inner\", \"GemJob\", \"j1\", \"low\"],"
                                + " [:perform, \"j1\", [1, \"outer\", \"inner\"]],"
                                + " [\"after inner\"], [\"after outer\"]]");
    }

    @Test
    void retryInIsAskedAndErrorHandlersAreTold() {
        Outcome.Failed failed =
                (Outcome.Failed)
                        run(
                                "{\"class\":\"GemJob\",\"jid\":\"j2\",\"args\":[\"raise\"],\"retry_count\":0}");

        assertThat(failed.hint().retry()).isEqualTo(Retry.upTo(2));
        assertThat(failed.hint().delaySeconds()).hasValue(1_001);
        assertThat(failed.backtrace().getFirst()).contains("apps/gem.rb:");
        assertThat(seen()).endsWith("[:error, \"told to\", \"j2\"]]");
    }

    @Test
    void aJobThatAMiddlewareHasSeenToIsDone() {
        assertThat(run("{\"class\":\"GemJob\",\"args\":[\"skip\"]}")).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void lifecycleBlocksAreCalledOnceInSidekiqsOrder() {
        ruby.fire(LifecycleEvent.STARTUP);
        ruby.fire(LifecycleEvent.STARTUP);
        ruby.fire(LifecycleEvent.QUIET);
        ruby.fire(LifecycleEvent.EXIT);

        assertThat(seen()).isEqualTo("[[:startup, 1], [:startup, 2], [:quiet, 2], [:quiet, 1]]");
    }

    @Test
    void aReloaderIsCalledAroundTheJob() {
        IRubyObject gem =
                ruby.eval(
                        """
                        $reloader = OPTIONS[:reloader]
                        OPTIONS[:reloader] = ->(&block) { SEEN << [:in]; block.call; SEEN << [:out] }
                        Mawashi::SidekiqGem.new("%s")
                        """
                                .formatted(ruby.sidekiqVersion()));
        LoadedApp app = LoadedApp.of(gem.getRuntime().getCurrentContext(), gem);
        try {
            Outcome outcome =
                    new RubySlot(app)
                            .run("low", "{\"class\":\"GemJob\",\"args\":[]}".getBytes(UTF_8));

            assertThat(outcome).isEqualTo(Outcome.SUCCEEDED);
            assertThat(seen()).startsWith("[[:in], ").endsWith(", [:out]]");
        } finally {
            ruby.eval("OPTIONS[:reloader] = $reloader");
        }
    }

    @Test
    void aJobIsInTheCapsuleOfItsQueue() {
        IRubyObject gem =
                ruby.eval(
                        """
                        Class.new(Mawashi::SidekiqGem) do
                          def capsules? = true
                          def enter_capsule(queue) = SEEN << [:enters, queue]
                        end.new("%s")
                        """
                                .formatted(ruby.sidekiqVersion()));
        RubySlot inCapsules = new RubySlot(LoadedApp.of(gem.getRuntime().getCurrentContext(), gem));

        inCapsules.run("low", "{\"class\":\"GemJob\",\"args\":[]}".getBytes(UTF_8));
        assertThat(seen()).startsWith("[[:enters, \"low\"], ");
    }

    private static Outcome run(String payload) {
        return slot.run("low", payload.getBytes(UTF_8));
    }

    private static String seen() {
        return ruby.eval("Array.new(SEEN.size) { SEEN.pop }.inspect").asJavaString();
    }
}
