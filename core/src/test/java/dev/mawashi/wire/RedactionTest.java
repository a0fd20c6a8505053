package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules on what is hidden, on all forms in which a job has its arguments.
final class RedactionTest {
    private static RedactionRule keys(String jobClass, String... keys) {
        return RedactionRule.of(jobClass, List.of(keys), List.of());
    }

    private static RedactionRule args(String jobClass, String... args) {
        return RedactionRule.of(jobClass, List.of(), List.of(args));
    }

    private static String args(String payload, RedactionRule... rules) {
        Payload job = Payload.parse(payload.getBytes(UTF_8));
        return Redaction.of(List.of(rules)).of(job, "").args(String.valueOf(job.raw("args")));
    }

    private static String payload(String payload, RedactionRule... rules) {
        Payload job = Payload.parse(payload.getBytes(UTF_8));
        return Redaction.of(List.of(rules)).of(job, "").payload(payload.getBytes(UTF_8));
    }

    private static String job(String args) {
        return "{\"class\":\"PayJob\",\"args\":" + args + ",\"jid\":\"a\"}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{\"card\":\"1\",\"a\":2}]|[{\"card\":\"[REDACTED]\",\"a\":2}]",
                "[{\"CARD\":{\"x\":[1]}},3]|[{\"CARD\":\"[REDACTED]\"},3]",
                "[[{\"a\":[{\"card\":1}]}]]|[[{\"a\":[{\"card\":\"[REDACTED]\"}]}]]",
                // Another writing of the same key, and a key that stands there twice.
                "[{\"c\\u0061rd\":1,\"card\":2}]|[{\"c\\u0061rd\":\"[REDACTED]\",\"card\":\"[REDACTED]\"}]",
                "[{\"api_token_2\":1, \"tok\" : 2 }]|[{\"api_token_2\":\"[REDACTED]\",\"tok\":2}]",
                "[{\"cards\":1}]|[{\"cards\":1}]",
                "[\"card\"]|[\"card\"]",
                "[]|[]",
                "{\"card\":1}|[\"[REDACTED]\"]",
                "\"card\"|[\"[REDACTED]\"]",
            })
    void keysAreHiddenInAllDepths(String args, String shown) {
        assertThat(args(job(args), keys("PayJob", "card", "*token*"))).isEqualTo(shown);
    }

    @Test
    void wholeArgumentsAreHidden() {
        assertThat(args(job("[1,[2],{\"a\":3},4]"), args("PayJob", "0", "2")))
                .isEqualTo("[\"[REDACTED]\",[2],\"[REDACTED]\",4]");
        assertThat(args(job("[1,[2]]"), args("PayJob", "all"))).isEqualTo("[\"[REDACTED]\"]");
        assertThat(args(job("[1,[2]]"), args("PayJob", "7"))).isEqualTo("[1,[2]]");
    }

    @Test
    void rulesOfOneClassAddUpAndOthersHideNothing() {
        assertThat(args(job("[1,{\"a\":3}]"), args("Pay*", "0"), keys("*job", "a")))
                .isEqualTo("[\"[REDACTED]\",{\"a\":\"[REDACTED]\"}]");
        assertThat(args(job("[1,{\"a\":3}]"), args("Pay", "0"), keys("*jobs", "a")))
                .isEqualTo("[1,{\"a\":3}]");
        assertThat(args(job("[{\"a\":3}]"), keys("*", "a"))).isEqualTo("[{\"a\":\"[REDACTED]\"}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"class\":\"W\",\"wrapped\":\"PayJob\",\"args\":[{\"arguments\":[\"secret\"]}]}",
                "{\"class\":\"W\",\"args\":[{\"job_class\":\"PayJob\",\"arguments\":[1,\"secret\"]}]}",
                "{\"class\":\"W\",\"display_class\":\"PayJob\",\"args\":[\"secret\"]}",
                "{\"class\":\"PayJob\",\"args\":[\"secret\"],\"unique_args\":[\"secret\"],\"lock_args\":\"secret\"}",
                "{\"class\":\"PayJob\",\"args\":{\"0\":\"secret\"}}",
                "{\"class\":\"PayJob\",\"args\":\"secret\"}",
            })
    void aWrappedJobIsKnownByEachOfItsNames(String payload) {
        assertThat(payload).contains("secret");
        assertThat(payload(payload, args("PayJob", "0"))).doesNotContain("secret");
        assertThat(payload(payload, args("PayJob", "all"))).doesNotContain("secret");
        assertThat(payload(payload, args("Other", "all"))).isEqualTo(payload);
    }

    @Test
    void otherFieldsOfThePayloadAreLookedThroughForKeysToo() {
        String payload =
                "{\"class\":\"PayJob\",\"args\":[],\"cattr\":{\"a\":{\"token\":\"secret\"}},"
                        + "\"jid\":\"1\",\"token\":\"secret\"}";
        assertThat(payload(payload, keys("PayJob", "token", "jid")))
                .isEqualTo(
                        "{\"class\":\"PayJob\",\"args\":[],\"cattr\":{\"a\":{\"token\":\"[REDACTED]\"}},"
                                + "\"jid\":\"1\",\"token\":\"[REDACTED]\"}");
    }

    @Test
    void whatIsNoJobIsHiddenOnceThereIsAnyRule() {
        byte[] bytes = "secret".getBytes(UTF_8);
        assertThat(Redaction.NONE.ofUnknown().payload(bytes)).isEqualTo("secret");
        assertThat(Redaction.of(List.of(keys("A", "b"))).ofUnknown().payload(bytes))
                .doesNotContain("secret");
    }

    @Test
    void aRecordSaysWhatItsRulesSay() {
        List<RedactionRule> rules =
                List.of(keys("Pay \"Job\"", "a*", "ü"), args("B", "0", "12"), args("C::D", "all"));
        byte[] record = RedactionRule.json(rules).getBytes(UTF_8);
        assertThat(RedactionRule.parse(record)).contains(rules);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "{}",
                "{\"rules\":[]}",
                "{\"rules\":[{\"class\":\"A\",\"keys\":[],\"args\":[]}]}",
                "{\"rules\":[{\"class\":\"A\",\"keys\":[\"a\"],\"args\":[\"x\"]}]}",
                // Of a version to come.
                "{\"rules\":[{\"class\":\"A\",\"keys\":[\"a\"],\"args\":[],\"queue\":\"q\"}]}",
                "{\"rules\":[{\"class\":\"A\",\"keys\":[\"a\"],\"args\":[]}],\"more\":1}",
            })
    void aRecordThatCannotBeReadHidesEverythingAndSaysSo(String record) {
        byte[] good = RedactionRule.json(List.of(keys("A", "a"))).getBytes(UTF_8);
        Redaction redaction = Redaction.ofRecords(List.of(good, record.getBytes(UTF_8)));
        Payload job = Payload.parse(job("[1]").getBytes(UTF_8));
        assertThat(redaction.of(job, "").args("[1]"))
                .isEqualTo("[\"[REDACTED: a record in mw:redact is unreadable]\"]");
        assertThat(Redaction.ofRecords(List.of(good)).of(job, "").args("[1]")).isEqualTo("[1]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|A|true",
                "a*|A|true",
                "*|x|true",
                "**a**|bab|true",
                "*a*b*|xaxbx|true",
                "*a*b|abc|false",
                "a*c|abcbc|true",
                "a|ab|false",
                "ab|a|false",
                "a.c|abc|false",
                "*::Pay|App::Pay|true",
            })
    void aStarStandsForAnything(String pattern, String name, boolean matches) {
        assertThat(new Wildcard(pattern).matches(name)).isEqualTo(matches);
    }

    @Test
    void aRuleThatHidesEverythingOrNothingIsNone() {
        assertThatThrownBy(() -> keys("*", "a", "**")).hasMessageContaining("every job");
        assertThatThrownBy(() -> args("**", "all")).hasMessageContaining("every job");
        assertThatThrownBy(() -> keys("A")).hasMessageContaining("hides nothing");
        assertThatThrownBy(() -> keys("", "a")).hasMessageContaining("class that is empty");
        assertThatThrownBy(() -> keys("A", "")).hasMessageContaining("key that is empty");
        assertThatThrownBy(() -> args("A", "-1")).hasMessageContaining("places from 0 to 999");
        assertThatThrownBy(() -> args("A", "all", "1")).hasMessageContaining("all alone");
    }
}
