package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.cron.CronSchedule;
import dev.mawashi.cron.Missed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronSectionTest {
    private static List<CronSchedule> read(String text) {
        return MawashiFile.parse(text, "mawashi.yml").cron().schedules();
    }

    @Test
    void eachKeyIsRead() {
        String text =
                """
                cron:
                  nightly:
                    cron: "0 3 * * *"
                    class: Report
                    args: [42, 1.5, "42", text, true, null, { year: 2026, on: [] }]
                    queue: low
                    retry: 5
                    description: the figures
                    zone: Europe/Berlin
                    missed: all
                    active_job: true
                  plain: { cron: "@daily", class: Report }
                """;
        assertThat(read(text))
                .containsExactly(
                        new CronSchedule(
                                "nightly",
                                "0 3 * * *",
                                "Europe/Berlin",
                                "Report",
                                "low",
                                "[42,1.5,\"42\",\"text\",true,null,{\"year\":2026,\"on\":[]}]",
                                true,
                                Missed.ALL,
                                "the figures",
                                "{\"retry\":5}"),
                        plain());
    }

    private static CronSchedule plain() {
        return new CronSchedule(
                "plain", "@daily", "UTC", "Report", "", "[]", false, Missed.ONE, "", "{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ cron: '61 * * * *', class: A }|line 1: cron.a minute \"61\" is out of range: 0 to 59",
                "{ cron: '0 0 31 2 *', class: A }|line 1: cron.a no month of 2 has a day 31",
                "{ cron: '@daily', class: A, zone: Mars }|line 1: cron.a zone \"Mars\" is unknown: write",
                "{ cron: '@daily', class: a b }|line 1: cron.a class \"a b\" is no class name",
                "{ cron: '@daily', class: A, queue: ' ' }|line 1: cron.a queue \" \" is no name",
                "{ cron: '@daily', class: A, retry: often }|line 1: cron.a.retry: retry \"often\" is neither true",
                "{ cron: '@daily', class: A, retry: -1 }|line 1: cron.a.retry: retry \"-1\" is neither true",
                "{ cron: '@daily' }|line 1: cron.a has no \"class\"",
                "{ class: A }|line 1: cron.a has no \"cron\"",
                "{ cron: '@daily', class: A, args: 1 }|line 1: cron.a.args must be a list",
                "{ cron: '@daily', class: A, args: [.inf] }|line 1: cron.a.args has the number .inf, which",
                "{ cron: '@daily', class: A, missed: two }|line 1: cron.a missed \"two\" is none of",
                "{ cron: '@daily', class: A, active_job: 1 }|line 1: cron.a.active_job is 1, must be true",
                "{ cron: '@daily', class: A, clas: B }|line 1: unknown key cron.a.clas: did you mean class?",
                "|line 1: cron.a has no \"cron\"",
            })
    void aWrongScheduleIsRefusedWithItsLineAndTheReason(String schedule, String mistake) {
        String text = "cron: { a: " + (schedule == null ? "" : schedule) + " }";
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("mawashi.yml " + mistake);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "all of them|[\"all of them\"]",
                "\"true story\"|[\"true story\"]",
                "(all of them)|[\"(all of them)\"]",
                "'(1, 2)'|[\"(1, 2)\"]",
                "'*'|[\"*\"]",
                "'éa'|[\"éa\"]",
                "{ mode: full }|[{\"mode\":\"full\"}]",
                "|[]"
            })
    void oneArgumentNeedsNoListAsInSidekiqCron(String argument, String args) {
        String given = argument == null ? "" : argument;
        assertThat(read("cron: { a: { cron: '@daily', class: A, args: " + given + " } }"))
                .extracting(CronSchedule::args)
                .containsExactly(args);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "'5'",
                "'[1]'",
                "\"true\"",
                "'{}'",
                "true",
                "' a'",
                "''",
                "\"true \"",
                "'-1'",
                "'/**/1'"
            })
    void oneThatSidekiqCronReadsAsJsonIsRefused(String argument) {
        assertThatThrownBy(() ->
                        read("cron: { a: { cron: '@daily', class: A, args: " + argument + " } }"))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("mawashi.yml line 1: cron.a.args must be a list");
    }

    /// As Ruby's YAML has it: own keys win, then those of the first map; and a map of arguments is
    /// one argument, as sidekiq-cron has it.
    @Test
    void schedulesTakeOverKeysOfOthers() {
        String text =
                """
                cron:
                  nightly: &nightly
                    cron: "0 3 * * *"
                    class: Report
                    queue: low
                    args: &all { mode: full, on: [1] }
                  morning: &morning
                    <<: *nightly
                    cron: "0 6 * * *"
                    args: [{ <<: *all, mode: short }, *all]
                  noon:
                    <<: [*morning, { queue: high, zone: Europe/Berlin }, *nightly, *nightly]
                    class: Other
                """;
        assertThat(read(text))
                .extracting(CronSectionTest::shown)
                .containsExactly(
                        "0 3 * * * UTC Report low [{\"mode\":\"full\",\"on\":[1]}]",
                        "0 6 * * * UTC Report low"
                                + " [{\"on\":[1],\"mode\":\"short\"},{\"mode\":\"full\",\"on\":[1]}]",
                        "0 6 * * * Europe/Berlin Other low"
                                + " [{\"on\":[1],\"mode\":\"short\"},{\"mode\":\"full\",\"on\":[1]}]");
    }

    private static String shown(CronSchedule schedule) {
        return String.join(
                " ",
                schedule.cron(),
                schedule.zone(),
                schedule.jobClass(),
                schedule.queue(),
                schedule.args());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ <<: text, class: A }|cron.a has << with no map behind it: write <<: *NAME of",
                "{ <<: [*b, 1], class: A }|cron.a has << with no map behind it: write <<: *NAME of",
                "{ <<: *b, <<: *b }|cron.a has << twice: give one, with a list of maps",
                "{ class: A, <<: *b }|cron.a has class before <<, which brings it too: put << first",
                "{ <<: *b, clas: A }|unknown key cron.a.clas: did you mean class?",
                "{ <<: { clas: A }, class: A }|unknown key cron.a.clas: did you mean class?",
                "{ <<: *b, class: A, class: A }|cron.a.class is given twice",
                "{ <<: *b, args: [{ <<: 1 }] }|cron.a.args has << with no map behind it",
                "&a { <<: *a, class: A }|cron.a has no \"cron\"",
            })
    void aWrongTakeOverIsRefusedWithItsLineAndTheReason(String schedule, String mistake) {
        String text = "cron:\n  b: &b { cron: '@daily', class: B }\n  a: " + schedule;
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("mawashi.yml line 3: " + mistake);
    }

    /// `config/schedule.yml` is read by Ruby: what it would have as another value moves here
    /// unnoticed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "~",
                "Null",
                "True",
                "yes",
                "No",
                "on",
                "OFF",
                "010",
                "0x1F",
                "0b1",
                "1_000",
                "+1",
                "-1_0",
                ".5",
                "+1.5",
                "1_0.5",
                "1:30",
                "-12:30:45.5",
                "1e3",
                "1.5e3",
                "-.INF",
                ".NaN",
                "{ a: [yes] }",
                ":year: 1",
                ":year"
            })
    void anArgumentThatRubyReadsInAnotherWayIsRefused(String argument) {
        String text =
                "cron:\n  a:\n    cron: '@daily'\n    class: A\n    args:\n      - " + argument;
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("mawashi.yml line 6: cron.a.args has ")
                .hasMessageContaining(
                        " which Ruby reads otherwise: write it in quotes, or as JSON");
    }

    @Test
    void argumentsThatRubyReadsInTheSameWayAreTaken() {
        String args =
                "[-1, 0, 1.5e+3, -0.5, 'yes', \"~\", y, 1.2.3, 0o17, a:b, 2026-11-28, 1 000, e5]";
        assertThat(read("cron: { a: { cron: '@daily', class: A, args: " + args + " } }"))
                .extracting(CronSchedule::args)
                .containsExactly(
                        "[-1,0,1.5e+3,-0.5,\"yes\",\"~\",\"y\",\"1.2.3\",\"0o17\",\"a:b\","
                                + "\"2026-11-28\",\"1 000\",\"e5\"]");
    }

    @Test
    void twoOfOneNameAreRefused() {
        String one = "a: { cron: '@daily', class: A }";
        assertThatThrownBy(() -> read("cron:\n  " + one + "\n  " + one))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining("mawashi.yml line 3: cron.a is given twice");
    }
}
