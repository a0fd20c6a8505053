package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.GiveUp;
import dev.mawashi.job.Outcome;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A job that will not run again is announced to its class and to the app's death handlers, as
/// Sidekiq's `job_retry.rb` does it.
class RubyGiveUpTest {
    private static final String APP = "src/test/ruby/apps/deaths.rb";
    private static RubyRuntime ruby;
    private RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(APP);
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @BeforeEach
    void openSlot() {
        slot = ruby.runner().openSlot();
    }

    @AfterEach
    void closeSlot() {
        slot.close();
    }

    private static String said(RubyRuntime runtime) {
        return runtime.eval("Array.new(SAID.size) { SAID.pop }.inspect").asJavaString();
    }

    @Test
    void aFailureThatNoRunHereHasSeenIsToldAsItIsRecorded() {
        byte[] job =
                """
                {"class":"MortalJob","args":["age"],"jid":"j1","retry_count":4,
                "error_class":"KeyError","error_message":"stuck"}\
                """
                        .getBytes(UTF_8);
        slot.reportLost(job);
        assertThat(said(ruby)).isEqualTo("[[:error, \"stuck\", \"Job raised exception\"]]");

        assertThat(slot.giveUp(job, GiveUp.EXHAUSTED)).isPresent();
        assertThat(said(ruby))
                .isEqualTo(
                        "[[:exhausted, \"j1\", 4, \"stuck\"], [:dead, \"j1\", \"KeyError\", false]]");
    }

    /// Runs a job, which fails, and gives it up as the retry policy would.
    private Optional<byte[]> giveUp(String jobClass, String word, String more, GiveUp reason) {
        String json =
                "{\"class\":\"%s\",\"jid\":\"j1\",\"args\":[\"%s\"]%s}"
                        .formatted(jobClass, word, more);
        assertThat(slot.run("low", json.getBytes(UTF_8))).isInstanceOf(Outcome.Failed.class);
        said(ruby);
        return slot.giveUp(json.replace("}", ",\"retry_count\":4}").getBytes(UTF_8), reason);
    }

    @Test
    void theClassIsAskedFirstAndThenAllDeathHandlersAreTold() {
        assertThat(giveUp("MortalJob", "age", "", GiveUp.EXHAUSTED)).isPresent();

        assertThat(said(ruby))
                .isEqualTo(
                        "[[:exhausted, \"j1\", 4, \"died of age\"], [:dead, \"j1\", \"ArgumentError\", false]]");
    }

    @Test
    void theClassMayHaveAnExhaustedJobDiscarded() {
        assertThat(giveUp("MortalJob", "discard", "", GiveUp.EXHAUSTED)).isEmpty();

        assertThat(said(ruby)).endsWith("[:dead, \"j1\", \"ArgumentError\", true]]");
    }

    @Test
    void theClassMayChangeWhatIsBuried() {
        assertThat(text(giveUp("MortalJob", "change", "", GiveUp.EXHAUSTED)))
                .startsWith("{\"class\":\"MortalJob\",\"jid\":\"j1\",\"args\":[\"é\",1.5],")
                .endsWith(",\"note\":1180591620717411303424}");
        // What it does not change keeps its bytes.
        assertThat(text(giveUp("MortalJob", "age", ", \"x\":1.50", GiveUp.EXHAUSTED)))
                .contains(", \"x\":1.50,");
    }

    private static String text(Optional<byte[]> kept) {
        return new String(kept.orElseThrow(), UTF_8);
    }

    @Test
    void aJobThatIsNotToBeRetriedIsNoneThatIsExhausted() {
        assertThat(giveUp("MortalJob", "age", "", GiveUp.NO_RETRY)).isPresent();

        assertThat(said(ruby)).isEqualTo("[[:dead, \"j1\", \"ArgumentError\", false]]");
    }

    @Test
    void whatIsNotBuriedSaysWhenItWasDiscarded() {
        giveUp("QuietJob", "x", ",\"dead\":false", GiveUp.EXHAUSTED);
        assertThat(said(ruby)).isEqualTo("[[:dead, \"j1\", \"RuntimeError\", true]]");

        giveUp("QuietJob", "x", "", GiveUp.DISCARDED);
        assertThat(said(ruby)).isEqualTo("[[:dead, \"j1\", \"RuntimeError\", true]]");
    }

    @Test
    void whatBlocksAndHandlersRaiseGoesToTheErrorHandlersAndStopsNothing() {
        assertThat(giveUp("MortalJob", "raise", "", GiveUp.EXHAUSTED)).isPresent();
        assertThat(said(ruby))
                .contains("[:error, \"block broke\", \"Error calling retries_exhausted\"]")
                .endsWith("[:dead, \"j1\", \"ArgumentError\", false]]");

        giveUp("MortalJob", "exit", "", GiveUp.EXHAUSTED);
        assertThat(said(ruby)).contains("[:error, \"exit\"").contains("[:dead, ");

        giveUp("QuietJob", "handler", "", GiveUp.NO_RETRY);
        assertThat(said(ruby))
                .isEqualTo(
                        "[[:error, \"handler broke\", \"Error calling death handler\"],"
                                + " [:dead, \"j1\", \"RuntimeError\", false]]");
    }

    @Test
    void aClassThatIsNotThereIsMournedToo() {
        assertThat(giveUp("NoSuchJob", "x", "", GiveUp.EXHAUSTED)).isPresent();

        assertThat(said(ruby)).isEqualTo("[[:dead, \"j1\", \"NameError\", false]]");
    }

    @Test
    void errorHandlersHearOfAClassThatIsNotThere() {
        slot.run("low", "{\"class\":\"NoSuchJob\",\"args\":[]}".getBytes(UTF_8));

        assertThat(said(ruby))
                .startsWith("[[:error, \"uninitialized constant NoSuchJob")
                .endsWith("\"Job raised exception\"]]");
    }

    @Test
    void aWrappedClassIsAskedInPlaceOfItsWrapper() {
        giveUp("QuietJob", "age", ",\"wrapped\":\"MortalJob\"", GiveUp.EXHAUSTED);

        assertThat(said(ruby)).startsWith("[[:exhausted, \"j1\", 4, \"hush\"], [:dead, ");
    }

    @Test
    void sidekiq6TellsItsHandlersNothingOfDiscardedJobs() {
        Map<String, String> gems = Map.of("GEM_PATH", SidekiqGemTest.GEMS);
        try (RubyRuntime six = RubyRuntime.boot(TestRuby.settings(APP, gems, new TestRuby.Kept()));
                RubySlot slotOfSix = six.runner().openSlot()) {
            byte[] job =
                    "{\"class\":\"MortalJob\",\"jid\":\"j6\",\"args\":[\"age\"]}".getBytes(UTF_8);
            slotOfSix.run("low", job);
            said(six);

            assertThat(slotOfSix.giveUp(job, GiveUp.DISCARDED)).isPresent();
            assertThat(said(six)).isEqualTo("[]");
            assertThat(slotOfSix.giveUp(job, GiveUp.EXHAUSTED)).isPresent();
            assertThat(said(six)).contains("[:exhausted, \"j6\"").contains("[:dead, \"j6\"");
        }
    }
}
