package dev.mawashi.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a job goes after a run. The fields that a failure writes are `FailureFieldsTest`'s.
class RetryPolicyTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L, 123_456_789L);
    private static final RandomGenerator NO_JITTER = () -> 0L;

    private final RecordedEvents events = new RecordedEvents();
    private final List<String> notices = new ArrayList<>();
    private boolean wantsDiscard;
    private boolean isLost;

    private Settlement decide(String payload, RetryHint hint, RandomGenerator random) {
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.fixed(NOW), random, events);
        return policy.decide(
                lease(payload),
                new Outcome.Failed("RuntimeError", "no", List.of(), hint),
                new App());
    }

    private final class App implements GiveUpNotice {
        @Override
        public Optional<byte[]> giveUp(byte[] payload, GiveUp reason) {
            notices.add(reason + " " + new String(payload, StandardCharsets.UTF_8));
            return wantsDiscard ? Optional.empty() : Optional.of(payload);
        }

        @Override
        public boolean failed(byte[] payload) {
            if (isLost) {
                notices.add("FAILED " + new String(payload, StandardCharsets.UTF_8));
            }
            return isLost;
        }
    }

    private Settlement decide(String payload) {
        return decide(payload, RetryHint.NONE, NO_JITTER);
    }

    private static Lease lease(String payload) {
        return new Lease("low", "me#0", 1, payload.getBytes(StandardCharsets.UTF_8));
    }

    private static RetryHint hint(RetryHint.Retry retry) {
        return new RetryHint(retry, OptionalLong.empty(), RetryHint.Verdict.RETRY);
    }

    private static RetryHint hint(RetryHint.Verdict verdict) {
        return new RetryHint(RetryHint.Retry.DEFAULT, OptionalLong.empty(), verdict);
    }

    private static RetryHint delay(long seconds) {
        return new RetryHint(
                RetryHint.Retry.DEFAULT, OptionalLong.of(seconds), RetryHint.Verdict.RETRY);
    }

    private static String fate(Settlement settlement) {
        return settlement.getClass().getSimpleName();
    }

    private static long delayOf(Settlement settlement) {
        return ((Settlement.Retry) settlement).delay().toSeconds();
    }

    private static String failing(String retry, String retryCount) {
        StringBuilder json = new StringBuilder("{\"class\":\"A\",\"jid\":\"j\",\"args\":[]");
        json.append(retry.equals("-") ? "" : ",\"retry\":" + retry);
        json.append(retryCount.equals("-") ? "" : ",\"retry_count\":" + retryCount);
        return json.append('}').toString();
    }

    @Test
    void theAppIsToldOnceAJobWillNotRunAgainWithWhatIsKnownOfItsFailure() {
        decide(failing("true", "-"));
        assertThat(notices).isEmpty();

        decide(failing("false", "-"));
        decide(failing("true", "-"), hint(RetryHint.Verdict.DISCARD), NO_JITTER);
        decide(failing("true", "-"), hint(RetryHint.Verdict.KILL), NO_JITTER);
        decide(failing("3", "2"), hint(RetryHint.Verdict.DISCARD), NO_JITTER);
        decide(failing("0", "-").replace("}", ",\"dead\":false}"));

        assertThat(notices.get(0)).isEqualTo("NO_RETRY " + failing("false", "-"));
        assertThat(notices.get(1)).startsWith("DISCARDED ").contains("\"error_message\":\"no\"");
        assertThat(notices.get(2)).startsWith("EXHAUSTED ").contains("\"retry_count\":0");
        assertThat(notices.get(3)).startsWith("EXHAUSTED ").contains("\"retry_count\":3");
        assertThat(notices.get(4)).startsWith("EXHAUSTED ").contains("\"dead\":false");
        assertThat(notices).hasSize(5);
    }

    @Test
    void aFailureThatNoneOfTheAppsCodeSawIsToldFirstAndTellsItsErrorToTheEnd() {
        isLost = true;
        decide(failing("true", "-"));
        assertThat(notices).singleElement().asString().startsWith("FAILED ");

        decide(failing("false", "-"));
        decide(failing("0", "-"));
        assertThat(notices)
                .map(notice -> notice.substring(0, notice.indexOf(' ')))
                .containsExactly("FAILED", "FAILED", "NO_RETRY", "FAILED", "EXHAUSTED");
        assertThat(notices).allMatch(notice -> notice.contains("\"error_message\":\"no\""));
    }

    @Test
    void anExhaustedJobThatTheAppWantsDiscardedIsNotBuried() {
        wantsDiscard = true;

        assertThat(fate(decide(failing("0", "-")))).isEqualTo("Ack");
        assertThat(fate(decide(failing("1", "-")))).isEqualTo("Retry");
    }

    /// NOW is 2026-11-21; each job first failed a given time ago.
    @ParameterizedTest
    @CsvSource({
        "60, 61000,  0,  Bury",
        "60, 59000,  0,  Retry",
        "60, 59000,  90, Retry",
        "60, -,      -,  Retry",
        "0,  -,      -,  Retry",
        "-5, 1,      0,  Bury",
    })
    void withRetryForOnlyTheTimeSinceTheFirstFailureCounts(
            int retryFor, String millisAgo, String retryCount, String fate) {
        long now = NOW.toEpochMilli();
        String failedAt =
                millisAgo.equals("-") ? "null" : Long.toString(now - Long.parseLong(millisAgo));
        String fields = ",\"created_at\":" + now + ",\"retry_for\":" + retryFor;
        String json = failing("true", retryCount);

        assertThat(fate(decide(json.replace("}", fields + ",\"failed_at\":" + failedAt + "}"))))
                .isEqualTo(fate);
    }

    @Test
    void aJobOfSidekiq7IsBoundByItsRetriesBesideRetryFor() {
        String seconds = NOW.getEpochSecond() + ".5";
        String fields =
                ",\"created_at\":" + seconds + ",\"retry_for\":60,\"failed_at\":" + seconds + "}";

        assertThat(fate(decide(failing("2", "1").replace("}", fields)))).isEqualTo("Bury");
        assertThat(fate(decide(failing("2", "0").replace("}", fields)))).isEqualTo("Retry");
    }

    @Test
    void aTimeThatCannotBeMeantEndsNoRetries() {
        for (String time : List.of("1e999999999", "-1e999999999", "\"x\"", "[1]", "1e-999999999")) {
            String fields = ",\"created_at\":1,\"retry_for\":60,\"failed_at\":" + time + "}";
            String fate = time.equals("1e-999999999") ? "Bury" : "Retry";
            assertThat(fate(decide(failing("2", "1").replace("}", fields))))
                    .as(time)
                    .isEqualTo(fate);
        }
    }

    /// `-` stands for an absent field. Sidekiq compares the new count with the limit: `retry: 5`
    /// runs six times.
    @ParameterizedTest
    @CsvSource({
        "true,  -,  Retry",
        "true,  23, Retry",
        "true,  24, Bury",
        "true,  99, Bury",
        "false, -,  Ack",
        "false, 3,  Ack",
        "0,     -,  Bury",
        "1,     -,  Retry",
        "1,     0,  Bury",
        "5,     3,  Retry",
        "5,     4,  Bury",
        "100,   50, Retry",
        "null,  -,  Retry",
        "-,     -,  Retry",
        "-,     24, Bury",
        "'\"25\"', 24, Bury",
        "'\"2\"',  5,  Retry",
        "'\"\"', -, Retry",
        "2.5,   5,  Retry",
        "-1,    -,  Bury",
        "true,  -1, Retry",
        "0,     -1, Bury",
        "true,  null, Retry",
        "true,  2147483647, Bury",
        "true,  99999999999, Bury",
    })
    void retryAndItsCountDecide(String retry, String retryCount, String fate) {
        assertThat(fate(decide(failing(retry, retryCount)))).isEqualTo(fate);
    }

    @Test
    void theClassesRetryHoldsOnlyWhereThePayloadHasNone() {
        RetryHint off = hint(RetryHint.Retry.OFF);
        RetryHint one = hint(RetryHint.Retry.upTo(1));

        assertThat(fate(decide(failing("-", "-"), off, NO_JITTER))).isEqualTo("Ack");
        assertThat(fate(decide(failing("null", "-"), off, NO_JITTER))).isEqualTo("Ack");
        assertThat(fate(decide(failing("true", "-"), off, NO_JITTER))).isEqualTo("Retry");
        assertThat(fate(decide(failing("3", "-"), off, NO_JITTER))).isEqualTo("Retry");
        assertThat(fate(decide(failing("-", "-"), one, NO_JITTER))).isEqualTo("Retry");
        assertThat(fate(decide(failing("-", "0"), one, NO_JITTER))).isEqualTo("Bury");
        assertThat(fate(decide(failing("false", "-"), one, NO_JITTER))).isEqualTo("Ack");
    }

    @Test
    void discardAndKillAreTheClassesToSay() {
        RetryHint discard = hint(RetryHint.Verdict.DISCARD);
        RetryHint kill = hint(RetryHint.Verdict.KILL);

        assertThat(fate(decide(failing("true", "-"), discard, NO_JITTER))).isEqualTo("Ack");
        assertThat(fate(decide(failing("true", "-"), kill, NO_JITTER))).isEqualTo("Bury");
        assertThat(fate(decide(failing("false", "-"), kill, NO_JITTER))).isEqualTo("Ack");
    }

    @Test
    void anExhaustedJobThatWantsNoDeadSetIsDropped() {
        String json = "{\"class\":\"A\",\"jid\":\"j\",\"retry\":0,\"dead\":false}";

        assertThat(fate(decide(json))).isEqualTo("Ack");
        assertThat(fate(decide(json.replace("false", "true")))).isEqualTo("Bury");
        assertThat(events.of(Event.JobDiscarded.class)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"-,15", "0,16", "1,31", "2,96", "9,10015", "23,331791"})
    void theDelayGrowsWithTheFourthPower(String retryCount, long seconds) {
        assertThat(delayOf(decide(failing("true", retryCount)))).isEqualTo(seconds);
    }

    @Test
    void noPayloadCanAskForMoreThanTenYears() {
        long tenYears = Duration.ofDays(3_650).toSeconds();

        assertThat(delayOf(decide(failing("2000000000", "1999999998")))).isEqualTo(tenYears);
        assertThat(delayOf(decide(failing("true", "-"), delay(Long.MAX_VALUE), NO_JITTER)))
                .isEqualTo(tenYears);
    }

    @Test
    void jitterIsSidekiqs6Or8sByTheJobsTimeStyle() {
        String floats = "{\"retry\":true,\"retry_count\":1,\"created_at\":1.5}";
        String millis = "{\"retry\":true,\"retry_count\":1,\"created_at\":1500}";

        // rand(10) * (2 + 1): multiples of three up to 27.
        assertThat(jitters(floats, 31)).isSubsetOf(0L, 3L, 6L, 9L, 12L, 15L, 18L, 21L, 24L, 27L);
        assertThat(jitters(floats, 31)).contains(0L, 27L);
        // rand(10 * (2 + 1)): anything below 30.
        assertThat(jitters(millis, 31)).allMatch(jitter -> jitter >= 0 && jitter < 30);
        assertThat(jitters(millis, 31)).contains(0L, 1L, 29L);
    }

    private List<Long> jitters(String payload, long formula) {
        RandomGenerator random = new Random(1);
        return IntStream.range(0, 1_000)
                .mapToObj(_ -> delayOf(decide(payload, RetryHint.NONE, random)) - formula)
                .distinct()
                .toList();
    }

    @Test
    void theClassesDelayGetsTheSameJitter() {
        RandomGenerator random = new Random(1);

        assertThat(delayOf(decide(failing("true", "-"), delay(60), NO_JITTER))).isEqualTo(60);
        assertThat(delayOf(decide(failing("true", "9"), delay(60), random))).isBetween(61L, 160L);
    }

    @Test
    void successIsAckedAndInterruptionRequeued() {
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.fixed(NOW), NO_JITTER, events);

        assertThat(policy.decide(lease("no json"), Outcome.SUCCEEDED, (job, _) -> Optional.of(job)))
                .isEqualTo(Settlement.ACK);
        assertThat(
                        policy.decide(
                                lease("no json"),
                                Outcome.INTERRUPTED,
                                (job, _) -> Optional.of(job)))
                .isEqualTo(Settlement.REQUEUE);
        assertThat(events.all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no json", "[1]", "{\"a\":1,\"a\":2}", "\u00ff\u0000"})
    void whatIsNoJobIsBuriedAsItIs(String payload) {
        Lease lease = lease(payload);
        RetryPolicy policy =
                new RetryPolicy(RetryRules.DEFAULT, InstantSource.fixed(NOW), NO_JITTER, events);

        Settlement malformed =
                policy.decide(lease, new Outcome.Malformed("bad"), (job, _) -> Optional.of(job));
        Settlement failed = decide(payload);

        assertThat(((Settlement.Bury) malformed).payload()).isSameAs(lease.payload());
        assertThat(((Settlement.Bury) failed).payload()).isEqualTo(lease.payload());
        assertThat(events.of(Event.JobBuried.class)).hasSize(2);
    }

    @Test
    void eachFateIsAnEventThatNamesTheJob() {
        String json = "{\"class\":\"W\",\"wrapped\":\"Real\",\"jid\":\"j1\",\"retry\":%s}";
        Event.JobName job = new Event.JobName("low", "Real", "j1");

        decide(json.formatted("true"));
        decide(json.formatted("0"));
        decide(json.formatted("false"));

        assertThat(events.all())
                .containsExactly(
                        new Event.JobFailed(job, "RuntimeError", "no", OptionalLong.of(15)),
                        new Event.JobFailed(job, "RuntimeError", "no", OptionalLong.empty()),
                        new Event.JobBuried(job, "retries exhausted"),
                        new Event.JobFailed(job, "RuntimeError", "no", OptionalLong.empty()),
                        new Event.JobDiscarded(job, "retry: false"));
    }
}
