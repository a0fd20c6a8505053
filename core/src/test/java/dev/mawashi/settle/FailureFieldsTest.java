package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.wire.Payload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/// The exact bytes of a job that failed, after real dumps of Sidekiq 6.4.1 and 8.1.7.
class FailureFieldsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final String SIDEKIQ_6 =
            "{\"retry\":true,\"queue\":\"high\",\"tags\":[\"a\",\"b\"],\"args\":[1,\"x\",{\"k\":[1.5,null,true]}],\"class\":\"OkJob\",\"jid\":\"d0c95cdecaf27ac4174049f1\",\"created_at\":1795225576.1516666,\"enqueued_at\":1795225576.1519186}";
    private static final String SIDEKIQ_8 =
            "{\"retry\":true,\"queue\":\"high\",\"tags\":[\"a\",\"b\"],\"args\":[1,\"x\",{\"k\":[1.5,null,true]}],\"class\":\"OkJob\",\"jid\":\"aa1048cc362cc514789c7782\",\"created_at\":1795225660717,\"enqueued_at\":1795225660747}";
    private static final List<String> LINES = List.of("a.rb:1:in `x'", "b.rb:2", "c.rb:3");

    private static String fail(String payload, String message, List<String> backtrace) {
        return fail(payload, new Outcome.Failed("RuntimeError", message, backtrace));
    }

    private static String fail(String payload, Outcome.Failed failed) {
        return fail(payload, failed, "");
    }

    private static String fail(String payload, Outcome.Failed failed, String version) {
        return fail(payload, failed, version, (job, _) -> Optional.of(job));
    }

    private static String fail(
            String payload, Outcome.Failed failed, String version, GiveUpNotice app) {
        RetryPolicy policy =
                new RetryPolicy(
                        RetryRules.of(25, version), InstantSource.fixed(NOW), () -> 0L, _ -> {});
        Lease lease = new Lease("high", "me#0", 1, payload.getBytes(StandardCharsets.UTF_8));
        Settlement settlement = policy.decide(lease, failed, app);
        byte[] bytes =
                switch (settlement) {
                    case Settlement.Retry retry -> retry.payload();
                    case Settlement.Bury bury -> bury.payload();
                    case Settlement.Fail fail -> fail.record();
                    case Settlement.Ack _, Settlement.Requeue _, Settlement.Arrived _ ->
                            new byte[0];
                };
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String fail(String payload) {
        return fail(payload, "boom", List.of());
    }

    private static String text(String payload, String field) {
        Payload parsed = Payload.parse(payload.getBytes(StandardCharsets.UTF_8));
        return Objects.requireNonNull(parsed.text(field), field);
    }

    private static String withFields(String payload, String fields) {
        return payload.substring(0, payload.length() - 1) + fields + "}";
    }

    @Test
    void aFirstFailureOfASidekiq6JobIsWrittenInFloatSeconds() {
        assertThat(fail(SIDEKIQ_6))
                .isEqualTo(
                        withFields(
                                SIDEKIQ_6,
                                ",\"error_message\":\"boom\",\"error_class\":\"RuntimeError\",\"failed_at\":1795225700.123456,\"retry_count\":0"));
    }

    @Test
    void aJobWithoutAnyTimeIsWrittenAsTheAppsSidekiqWould() {
        String payload = "{\"class\":\"OkJob\",\"args\":[],\"retry\":true,\"queue\":\"high\"}";
        Outcome.Failed failed = new Outcome.Failed("RuntimeError", "boom", List.of());

        assertThat(fail(payload, failed, "7.3.2")).contains("\"failed_at\":1795225700.123456,");
        assertThat(fail(payload, failed, "8.1.7")).contains("\"failed_at\":1795225700123,");
    }

    @Test
    void aJobIsBuriedInTheFormThatItsClassGivesItUnlessThatSaysNotDead() {
        assertThat(buriedAs("{\"note\":1}")).isEqualTo("{\"note\":1}");
        assertThat(buriedAs("{\"dead\":false}")).isEmpty();
        // Nobody reads it here any more.
        assertThat(buriedAs("{\"a\":1,\"a\":2}")).isEqualTo("{\"a\":1,\"a\":2}");
    }

    private static String buriedAs(String changed) {
        return fail(
                "{\"class\":\"OkJob\",\"retry\":0}",
                new Outcome.Failed("RuntimeError", "boom", List.of()),
                "",
                (_, _) -> Optional.of(changed.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aFirstFailureOfASidekiq8JobIsWrittenInMilliseconds() {
        assertThat(fail(SIDEKIQ_8))
                .isEqualTo(
                        withFields(
                                SIDEKIQ_8,
                                ",\"error_message\":\"boom\",\"error_class\":\"RuntimeError\",\"failed_at\":1795225700123,\"retry_count\":0"));
    }

    @Test
    void aSecondFailureKeepsTheFirstsTimeAndPlace() {
        String once = fail(SIDEKIQ_8);

        assertThat(fail(once, "again", List.of()))
                .isEqualTo(
                        withFields(
                                once.replace("boom", "again")
                                        .replace("\"retry_count\":0", "\"retry_count\":1"),
                                ",\"retried_at\":1795225700123"));
    }

    /// Sidekiq's page takes one off the count when it retries a job by hand.
    @Test
    void aFailureAfterARetryByHandIsNoFirstFailure() {
        String byHand = "{\"retry\":true,\"failed_at\":5,\"retry_count\":-1}";

        assertThat(fail(byHand))
                .contains("\"failed_at\":5,")
                .contains("\"retry_count\":0")
                .contains("\"retried_at\":1795225700123");
    }

    @Test
    void anExhaustedJobCarriesTheSameFields() {
        String json = "{\"retry\":1,\"retry_count\":0,\"failed_at\":5}";

        assertThat(fail(json))
                .isEqualTo(
                        "{\"retry\":1,\"retry_count\":1,\"failed_at\":5,\"queue\":\"high\",\"error_message\":\"boom\",\"error_class\":\"RuntimeError\",\"retried_at\":1795225700123}");
    }

    @Test
    void theQueueIsTheOneItRanFromOrItsRetryQueue() {
        assertThat(text(fail("{\"queue\":\"stale\"}"), "queue")).isEqualTo("high");
        assertThat(text(fail("{\"queue\":\"x\",\"retry_queue\":\"slow\"}"), "queue"))
                .isEqualTo("slow");
    }

    @Test
    void aMessageOf10000CharactersIsKeptAndALongerOneCutAtACodePoint() {
        String emoji = "\ud83d\ude00";
        String exact = emoji.repeat(10_000);

        assertThat(text(fail("{}", exact, List.of()), "error_message")).isEqualTo(exact);
        assertThat(text(fail("{}", exact + emoji, List.of()), "error_message")).isEqualTo(exact);
        assertThat(text(fail("{}", "a".repeat(10_001), List.of()), "error_message"))
                .isEqualTo("a".repeat(10_000));
    }

    @Test
    void aMessageWithAnyCharacterStaysReadable() {
        String odd = "quote \" slash \\ line \n nul \u0000 \u2028 \u00e9";

        assertThat(text(fail("{}", odd, List.of()), "error_message")).isEqualTo(odd);
        assertThat(text(fail("{}", "\ud800", List.of()), "error_message")).isEqualTo("\ufffd");
    }

    @Test
    void aClassWithoutANameIsNull() {
        Outcome.Failed failed = new Outcome.Failed("#<Class:0x00007f2a>", "m", List.of());

        assertThat(fail("{}", failed)).contains("\"error_class\":null,");
    }

    @Test
    void theBacktraceIsPackedAsSidekiqPacksIt() {
        String packed = text(fail("{\"backtrace\":true}", "m", LINES), "error_backtrace");

        assertThat(packed).startsWith("eJ").doesNotContain("\n");
        assertThat(unpacked(packed)).isEqualTo("[\"a.rb:1:in `x'\",\"b.rb:2\",\"c.rb:3\"]");
    }

    @Test
    void aNumberLimitsTheBacktracesLines() {
        assertThat(unpacked(text(fail("{\"backtrace\":2}", "m", LINES), "error_backtrace")))
                .isEqualTo("[\"a.rb:1:in `x'\",\"b.rb:2\"]");
        assertThat(unpacked(text(fail("{\"backtrace\":99}", "m", LINES), "error_backtrace")))
                .isEqualTo("[\"a.rb:1:in `x'\",\"b.rb:2\",\"c.rb:3\"]");
    }

    @Test
    void withoutTheOptionThereIsNoBacktrace() {
        assertThat(fail("{}", "m", LINES)).doesNotContain("error_backtrace");
        assertThat(fail("{\"backtrace\":false}", "m", LINES)).doesNotContain("error_backtrace");
        assertThat(fail("{\"backtrace\":true}")).doesNotContain("error_backtrace");
    }

    @Test
    void whatTheClassSaysOfRetriesIsKeptWhereThePayloadSaysNothing() {
        RetryHint hint =
                new RetryHint(
                        RetryHint.Retry.upTo(3), OptionalLong.empty(), RetryHint.Verdict.RETRY);
        Outcome.Failed failed = new Outcome.Failed("E", "m", List.of(), hint);

        assertThat(fail("{\"class\":\"A\"}", failed)).startsWith("{\"class\":\"A\",\"retry\":3,");
        assertThat(fail("{\"retry\":null}", failed)).startsWith("{\"retry\":3,");
        assertThat(fail("{\"retry\":5}", failed)).startsWith("{\"retry\":5,");
        assertThat(fail("{\"class\":\"A\"}")).startsWith("{\"class\":\"A\",\"retry\":true,");
    }

    private static String unpacked(String base64) {
        byte[] zlib = Base64.getDecoder().decode(base64);
        try (var in = new InflaterInputStream(new ByteArrayInputStream(zlib))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Its next run comes into the queue anew.
    @Test
    void aJobThatExpiresKeepsItsTime() {
        String six = fail(withFields(SIDEKIQ_6, ",\"expires_in\":60"));
        String eight = fail(withFields(SIDEKIQ_8, ",\"expires_in\":60"));

        assertThat(six).contains("\"expires_in\":60,").contains(",\"expiry\":1795225636.151");
        assertThat(eight).contains(",\"expiry\":1795225720747");
        assertThat(fail(withFields(SIDEKIQ_8, ",\"expires_in\":60,\"expiry\":7")))
                .contains(",\"expiry\":7,")
                .doesNotContain("1795225720747");
        assertThat(fail(SIDEKIQ_8)).doesNotContain("expiry");
    }
}
