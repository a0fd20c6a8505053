package dev.mawashi.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadFormTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_795_225_660_717L);

    private final PayloadForm form = new PayloadForm(InstantSource.fixed(NOW), new Random(1));

    private static String text(NewJob job) {
        return new String(job.payload(), StandardCharsets.UTF_8);
    }

    private static String jid(NewJob job) {
        return Objects.requireNonNull(Payload.parse(job.payload()).text("jid"));
    }

    @Test
    void aJobHasSidekiq8sFieldsInItsOrder() {
        NewJob job = form.job("OkJob", "high", "[1, \"x\",{\"k\":1.50}]", null);

        assertThat(job.queue()).isEqualTo("high");
        assertThat(job.at()).isNull();
        assertThat(text(job))
                .isEqualTo(
                        "{\"retry\":true,\"queue\":\"high\",\"class\":\"OkJob\",\"args\":[1, \"x\",{\"k\":1.50}],\"jid\":\""
                                + jid(job)
                                + "\",\"created_at\":1795225660717,\"enqueued_at\":1795225660717}");
    }

    @Test
    void aJobForLaterIsNotEnqueuedYet() {
        NewJob job = form.job("OkJob", "high", "[]", NOW.plusMillis(1));

        assertThat(job.at()).isEqualTo(NOW.plusMillis(1));
        assertThat(text(job)).endsWith("\"created_at\":1795225660717}").doesNotContain("\"at\"");
    }

    @Test
    void aTimeThatHasComeMeansNow() {
        for (Instant at : new Instant[] {NOW, NOW.minusSeconds(5)}) {
            NewJob job = form.job("OkJob", "high", "[]", at);
            assertThat(job.at()).isNull();
            assertThat(text(job)).contains("\"enqueued_at\":1795225660717");
        }
    }

    @Test
    void aJidIs24HexDigitsAndEachIsAnother() {
        Set<String> jids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String jid = jid(form.job("A", "q", "[]", null));
            assertThat(jid).matches("[0-9a-f]{24}");
            jids.add(jid);
        }
        assertThat(jids).hasSize(1_000);
    }

    @Test
    void namesAreQuoted() {
        NewJob job = form.job("A", "q\"\\\u00e9", "[]", null);

        Payload payload = Payload.parse(job.payload());
        assertThat(payload.text("queue")).isEqualTo("q\"\\\u00e9");
    }

    @Test
    void retryAndTagsStandWhereSidekiqWritesThem() {
        JobRequest asked =
                new JobRequest("OkJob", "high", "[]", null, "false", List.of("vip", "a\"b"));
        assertThat(text(form.job(asked)))
                .startsWith(
                        "{\"retry\":false,\"queue\":\"high\",\"class\":\"OkJob\",\"args\":[],"
                                + "\"tags\":[\"vip\",\"a\\\"b\"],\"jid\":\"");
    }

    @Test
    void aTimeInAnotherUnitIsRefused() {
        for (Instant at :
                new Instant[] {
                    Instant.EPOCH,
                    Instant.ofEpochSecond(90),
                    NOW.minus(Duration.ofDays(367)),
                    Instant.MIN
                }) {
            assertThatThrownBy(() -> form.job("A", "q", "[]", at))
                    .hasMessage(
                            "at is more than a year ago: give seconds since 1970, such as"
                                    + " 1795225660 for now");
        }
        for (Instant at :
                new Instant[] {
                    Instant.ofEpochSecond(NOW.toEpochMilli()),
                    NOW.plus(Duration.ofDays(3_654)),
                    Instant.MAX
                }) {
            assertThatThrownBy(() -> form.job("A", "q", "[]", at))
                    .hasMessageContaining("at is more than ten years ahead: give seconds");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "{}",
                "\"x\"",
                "null",
                "[",
                "[1",
                "[1,]",
                "[1],2",
                "[1]]",
                "[],\"x\":1",
                "[1][2]",
                "[NaN]"
            })
    void argsMustBeOneJsonArray(String args) {
        assertThatThrownBy(() -> form.job("A", "q", args, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("args are not");
    }

    /// The payload around them is a level of its own.
    @Test
    void argsMayBeNestedAsDeepAsTheServerReads() {
        String deepest = "[".repeat(99) + "]".repeat(99);

        assertThatCode(() -> Payload.parse(form.job("A", "q", deepest, null).payload()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> form.job("A", "q", "[" + deepest + "]", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting");
    }

    @Test
    void namesMustNotBeEmpty() {
        assertThatThrownBy(() -> form.job("", "q", "[]", null))
                .hasMessageContaining("is no class name");
        assertThatThrownBy(() -> form.job("A", "", "[]", null)).hasMessageContaining("is no name");
    }
}
