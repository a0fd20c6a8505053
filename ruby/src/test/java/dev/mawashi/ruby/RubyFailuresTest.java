package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.job.RetryHint.Retry;
import dev.mawashi.job.RetryHint.Verdict;
import java.util.OptionalLong;
import org.jruby.runtime.builtin.IRubyObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever a job raises becomes an outcome, and the slot goes on.
class RubyFailuresTest {
    private static final String NOOP = "{\"class\":\"NoopJob\",\"args\":[1]}";
    private static RubyRuntime ruby;
    private RubySlot slot;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(TestRuby.JOBS);
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
    void theSlotSurvives() {
        assertThat(run(NOOP)).isEqualTo(Outcome.SUCCEEDED);
        slot.close();
    }

    @ParameterizedTest
    @CsvSource({
        "standard,ArgumentError,wrong",
        "exit,SystemExit,exit",
        "exit!,org.jruby.exceptions.MainExitException,aborted",
        "abort,SystemExit,exit",
        "interrupt,Interrupt,int",
        "memory,NoMemoryError,none left",
        "throw,UncaughtThrowError,uncaught throw :x",
        "java,java.lang.IllegalStateException,from Java",
        "kill,ThreadError,the job ended its own thread",
        "broken,RaisingJob::BrokenMessage,!!! ERROR MESSAGE THREW AN ERROR !!!",
        "binary,RaisingJob::BinaryMessage,caf\ufffd",
        "nil trace,StandardError,bare",
        "broken trace,RaisingJob::BrokenTrace,traceless"
    })
    void everyKindOfRaiseIsAFailure(String kind, String errorClass, String message) {
        Outcome.Failed failed = failed(raising(kind));

        assertThat(failed.errorClass()).isEqualTo(errorClass);
        assertThat(failed.message()).isEqualTo(message == null ? "" : message);
    }

    @Test
    void aNamelessErrorClassStillHasAName() {
        assertThat(failed(raising("anonymous")).errorClass()).startsWith("#<Class:0x");
    }

    @Test
    void theAppMayCleanTheBacktraceThatIsKept() {
        ruby.eval(
                "Sidekiq.default_configuration[:backtrace_cleaner] = ->(lines) { lines.first(1).map(&:upcase) }");
        try {
            assertThat(
                            failed(
                                            "{\"class\":\"RaisingJob\",\"args\":[\"standard\"],\"backtrace\":true}")
                                    .backtrace())
                    .singleElement()
                    .asString()
                    .contains("APPS/JOBS.RB:");
            assertThat(failed(raising("standard")).backtrace().getFirst())
                    .contains("apps/jobs.rb:");
        } finally {
            ruby.eval("Sidekiq.default_configuration[:backtrace_cleaner] = nil");
        }
    }

    @Test
    void aStackThatIsTooDeepIsAFailure() {
        assertThat(failed("{\"class\":\"DeepStackJob\"}").errorClass())
                .isEqualTo("SystemStackError");
    }

    @Test
    void theBacktraceBeginsInTheJob() {
        assertThat(failed(raising("standard")).backtrace().getFirst())
                .matches(".*apps/jobs\\.rb:\\d+:in .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shutdown", "caused"})
    void aShutdownThatTheJobItselfRaisesIsAFailure(String kind) {
        assertThat(failed(raising(kind)).hint().retry()).isEqualTo(Retry.upTo(3));
    }

    @Test
    void anErrorIsNotCausedByTheJobBefore() {
        failed(raising("shutdown"));

        assertThat(failed(raising("before")).message()).isEqualTo("began with nil");
    }

    @Test
    void aThreadCanBeKilledAgain() {
        failed(raising("kill"));

        assertThat(failed(raising("kill")).errorClass()).isEqualTo("ThreadError");
    }

    /// JRuby may have lost count of its frames.
    @Test
    void theNextJobAfterAStackThatIsTooDeepHasAnotherRubyThread() {
        String before = failed(raising("thread")).message();
        assertThat(failed(raising("thread")).message()).isEqualTo(before);

        failed("{\"class\":\"DeepStackJob\"}");

        assertThat(failed(raising("thread")).message()).isNotEqualTo(before);
    }

    @Test
    void aMessageIsKeptOnlyAsFarAsItIsRead() {
        assertThat(failed(raising("long")).message()).hasSize(40_000);
    }

    @Test
    void aBacktraceIsKeptOnlyAsFarAsItIsRead() {
        assertThat(failed(raising("far")).backtrace()).hasSize(1_000).endsWith("far.rb:999");
    }

    @Test
    void aBacktraceHasNoLinesOfOurs() {
        assertThat(failed(raising("ours")).backtrace())
                .isNotEmpty()
                .noneMatch(line -> line.contains("classloader:/mawashi/"));
    }

    @Test
    void theClassSaysHowOftenToRetryAfterAJavaErrorToo() {
        assertThat(failed(raising("java")).hint().retry()).isEqualTo(Retry.upTo(3));
        assertThat(failed(raising("kill")).hint().retry()).isEqualTo(Retry.upTo(3));
    }

    @Test
    void causesThatGoInACircleEnd() {
        assertThat(failed("{\"class\":\"CircularJob\"}").message()).isEqualTo("one");
    }

    @Test
    void theClassSaysHowOftenToRetry() {
        assertThat(failed(raising("standard")).hint().retry()).isEqualTo(Retry.upTo(3));
        assertThat(failed("{\"class\":\"NoRetryJob\"}").hint().retry()).isEqualTo(Retry.OFF);
        assertThat(failed("{\"class\":\"DeepStackJob\"}").hint()).isEqualTo(RetryHint.NONE);
    }

    @ParameterizedTest
    @CsvSource({"'',100", "',\"retry_count\":0',101", "',\"retry_count\":8',109"})
    void retryInGetsTheComingRetryCount(String field, long delay) {
        Outcome.Failed failed =
                failed("{\"class\":\"RetryInJob\",\"args\":[\"delay\"]" + field + "}");

        assertThat(failed.hint().delaySeconds()).isEqualTo(OptionalLong.of(delay));
    }

    @ParameterizedTest
    @CsvSource({"discard,DISCARD", "kill,KILL", "negative,RETRY", "raise,RETRY", "nan,RETRY"})
    void retryInMayGiveAVerdict(String word, Verdict verdict) {
        RetryHint hint = failed(retryIn(word)).hint();

        assertThat(hint.verdict()).isEqualTo(verdict);
        assertThat(hint.delaySeconds()).isEmpty();
        assertThat(hint.retry()).isEqualTo(Retry.upTo(10));
    }

    @Test
    void retryInSeesTheJob() {
        assertThat(failed(retryIn("args")).hint().delaySeconds()).hasValue(1);
    }

    @Test
    void retryInSeesWhatThisFailureAddsToTheJob() {
        failed(
                "{\"class\":\"RetryInJob\",\"args\":[\"failure\"],\"queue\":\"q\",\"created_at\":1.5}");
        IRubyObject first = ruby.eval("Seen.take");
        failed(
                "{\"class\":\"RetryInJob\",\"args\":[\"failure\"],\"retry\":true,\"queue\":\"q\","
                        + "\"retry_queue\":\"low\",\"created_at\":1500,\"retry_count\":3}");
        IRubyObject later = ruby.eval("Seen.take");

        assertThat(first.toString())
                .startsWith(
                        "{\"retry\" => 10, \"queue\" => \"q\", \"error_class\" => \"RuntimeError\","
                                + " \"error_message\" => \"failure\", \"retry_count\" => 0, \"failed_at\" => 1")
                .containsPattern("\"failed_at\" => \\d{10}\\.\\d+}");
        assertThat(later.toString())
                .startsWith(
                        "{\"retry\" => true, \"queue\" => \"low\", \"error_class\" => \"RuntimeError\","
                                + " \"error_message\" => \"failure\", \"retry_count\" => 4, \"retried_at\" => 1")
                .containsPattern("\"retried_at\" => \\d{13}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"retry_count\":9",
                "\"retry\":true,\"retry_count\":24",
                "\"retry_for\":60,\"failed_at\":1500,\"retry_count\":0",
                "\"retry_for\":60,\"created_at\":1.5,\"failed_at\":9e9,\"retry_count\":9"
            })
    void retryInIsNotAskedAboutTheLastFailure(String fields) {
        run("{\"class\":\"NoRetryJob\",\"args\":[]}");
        failed("{\"class\":\"RetryInJob\",\"args\":[\"failure\"]," + fields + "}");

        assertThat(ruby.eval("Seen::LIST.empty?").isTrue()).isTrue();
    }

    /// Of a job in the form of Sidekiq 8 the time alone counts, before that beside the number.
    @ParameterizedTest
    @CsvSource({"0,true,true", "7200,true,false", "0,false,false", "7200,false,false"})
    void retryForIsCountedFromTheFirstFailure(long ago, boolean isEight, boolean isAsked) {
        double failed = System.currentTimeMillis() / 1_000.0 - ago;
        String first = isEight ? "" + (long) (failed * 1_000) : "" + failed;
        String fields = "\"retry_for\":3600,\"retry_count\":9,\"failed_at\":" + first;
        failed("{\"class\":\"RetryInJob\",\"args\":[\"failure\"]," + fields + "}");

        assertThat(ruby.eval("!Seen::LIST.empty? && Seen.take").isTrue()).isEqualTo(isAsked);
    }

    @Test
    void aClassWhoseFailureIsTheLastHasNoWish() {
        assertThat(
                        failed(
                                        "{\"class\":\"RetryInJob\",\"args\":[\"delay\"],"
                                                + "\"retry_count\":9}")
                                .hint()
                                .delaySeconds())
                .isEmpty();
    }

    private static String raising(String kind) {
        return "{\"class\":\"RaisingJob\",\"args\":[\"" + kind + "\"]}";
    }

    private static String retryIn(String word) {
        return "{\"class\":\"RetryInJob\",\"args\":[\"" + word + "\"]}";
    }

    private Outcome run(String payload) {
        return slot.run("default", payload.getBytes(UTF_8));
    }

    private Outcome.Failed failed(String payload) {
        return (Outcome.Failed) run(payload);
    }
}
