package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.cron.CronFile;
import dev.mawashi.cron.CronSchedule;
import dev.mawashi.cron.Missed;
import dev.mawashi.wire.RedactionRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MawashiFileTest {
    private static final String FULL =
            """
            runner: mri
            ruby: /opt/ruby/bin/ruby
            java_classpath: lib/*:classes
            processes: 3
            memory_limit: 512
            recycle_jobs: 10_000
            recycle_hours: 6
            capsules:
              io: { runner: jruby, threads: virtual, concurrency: 1000 }
            queues:
              critical:
                time_limit: 2.5
            runners:
              jruby:
            resque:
              queues: high,*,!slow
              namespace: app
              runner: fork
              concurrency: 4
              time_limit: 60
              time_limits: { reports: 600 }
            redact:
              - class: Pay*
                keys: [card, "*token*"]
              - class: ExportJob
                args: [0, 2]
              - { class: A, keys: b, args: all }
            cron:
              nightly: { cron: 0 3 * * *, class: Report }
            restart:
              boot_limit: 1.5
              old_limit: 3600
              memory: 700
            log_level: warn
            connections: 20
            """;

    private static final List<RedactionRule> REDACT =
            List.of(
                    RedactionRule.of("Pay*", List.of("card", "*token*"), List.of()),
                    RedactionRule.of("ExportJob", List.of(), List.of("0", "2")),
                    RedactionRule.of("A", List.of("b"), List.of("all")));

    private static final PoolSettings JRUBY =
            new PoolSettings(RunnerKind.JRUBY, null, null, null, PoolSettings.Limits.NONE);

    private static final RestartChoice RESTART =
            new RestartChoice(Duration.ofMillis(1_500), Duration.ofHours(1), 700);

    private static final CronFile CRON =
            new CronFile(
                    List.of(
                            new CronSchedule(
                                    "nightly",
                                    "0 3 * * *",
                                    "UTC",
                                    "Report",
                                    "",
                                    "[]",
                                    false,
                                    Missed.ONE,
                                    "",
                                    "{}")));

    private static RunnerChoice parse(String text) {
        return MawashiFile.parse(text, "mawashi.yml");
    }

    @Test
    void eachKeyIsRead() {
        PoolSettings.Limits all = new PoolSettings.Limits(null, 512, 10_000, 6.0);
        PoolSettings.Limits minute = new PoolSettings.Limits(60.0, null, null, null);
        PoolSettings.Limits critical = new PoolSettings.Limits(2.5, null, null, null);
        assertThat(parse(FULL))
                .isEqualTo(
                        new RunnerChoice(
                                new PoolSettings(RunnerKind.MRI, 3, null, null, all),
                                "/opt/ruby/bin/ruby",
                                "lib/*:classes",
                                Map.of(
                                        "io",
                                        new PoolSettings(
                                                RunnerKind.JRUBY,
                                                null,
                                                1_000,
                                                true,
                                                PoolSettings.Limits.NONE)),
                                Map.of(
                                        "critical",
                                        new PoolSettings(null, null, null, null, critical)),
                                Map.of(RunnerKind.JRUBY, JRUBY),
                                new ResqueChoice(
                                        "high,*,!slow",
                                        "app",
                                        new PoolSettings(RunnerKind.FORK, null, 4, null, minute),
                                        Map.of("reports", 600.0),
                                        Origins.NONE),
                                REDACT,
                                CRON,
                                RESTART,
                                System.Logger.Level.WARNING,
                                20,
                                Origins.NONE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "runner: mir|mawashi.yml line 1: runner is mir, must be one of",
                "log_level: loud|mawashi.yml line 1: log_level is loud, must be debug, info, warn or",
                "connections: 0|mawashi.yml line 1: connections is 0, must be a whole number from 1 to 10000",
                "redact: []|mawashi.yml line 1: redact is empty: leave the key out",
                "redact:|mawashi.yml line 1: redact is empty: leave the key out",
                "redact: A|mawashi.yml line 1: redact must be a list of maps",
                "redact: [A]|mawashi.yml line 1: redact must be a map of names",
                "redact: [null]|mawashi.yml line 1: redact has nothing behind a dash",
                "redact: [{class: A}]|mawashi.yml line 1: redact hides nothing: give it",
                "redact: [{class: A, keys: []}]|mawashi.yml line 1: redact.keys is empty: leave",
                "redact: [{class: A, keys: [[b]]}]|mawashi.yml line 1: redact.keys must be a text or",
                "redact: [{class: A, keys: {b: 1}}]|mawashi.yml line 1: redact.keys must be a text or",
                "redact: [{class: A, key: b}]|mawashi.yml line 1: unknown key redact.key: did you mean",
                "redact: [{keys: b}]|mawashi.yml line 1: redact has no \"class\": name one",
                "redact: [{class: '*', keys: '*'}]|mawashi.yml line 1: redact hides the arguments of every",
                "redact: [{class: '*', args: all}]|mawashi.yml line 1: redact hides the arguments of every",
                "redact: [{class: A, args: first}]|mawashi.yml line 1: redact has \"args\" with first:",
                "runner: [mri]|mawashi.yml line 1: runner must be one of",
                "proceses: 2|mawashi.yml line 1: unknown key proceses: did you mean processes?",
                "zzz: 2|mawashi.yml line 1: unknown key zzz: known are runner, processes,",
                "processes: 0|mawashi.yml line 1: processes is 0, must be a whole number from 1 to 1000",
                "processes: 2.5|processes is 2.5, must be a whole number",
                "processes: many|processes is many, must be a whole number",
                "concurrency: 100001|must be a whole number from 1 to 100000",
                "restart: { boot_limit: 0 }|boot_limit is 0, must be a number over 0",
                "restart: { old: 1 }|unknown key restart.old",
                "time_limit: 0|time_limit is 0, must be a number over 0",
                "time_limit: .nan|time_limit is .nan, must be a number over 0",
                "threads: 5|threads is 5, must be platform or virtual (their number is \"concurrency\")",
                "queues: {a: {runer: mri}}|unknown key queues.a.runer: did you mean runner?",
                "queues: [a]|line 1: queues must be a map of names",
                "queues: {a: mri}|queues.a must be a map of names",
                "queues: {a: {runner: x}}|queues.a.runner is x, must be one of",
                "runners: {x: {}}|runners.x: x, must be one of",
                "queues: {a: {}, a: {}}|queues.a is given twice",
                "resque: high|mawashi.yml line 1: resque must be a map of names",
                "resque: {queues: [a, b]}|line 1: resque.queues must be a text",
                "resque: {queues: 'a,,b'}|line 1: resque.queues: \"a,,b\" names a queue without a name",
                "resque: {queues: '!a'}|line 1: resque.queues: \"!a\" leaves queues out and names none",
                "resque: {namespace: queue}|line 1: resque.namespace: the Resque namespace \"queue\" is what",
                "resque: {namespace: ''}|line 1: resque.namespace: a Resque namespace has no name",
                "resque: {queue: a}|line 1: unknown key resque.queue: did you mean queues?",
                "resque: {runner: java}|line 1: resque.runner is java, must be one of jruby, mri, fork",
                "resque: {processes: 0}|line 1: resque.processes is 0, must be",
                "resque: {time_limits: 5}|line 1: resque.time_limits must be a map of names",
                "resque: {time_limits: {a: x}}|line 1: resque.time_limits.a is x, must be a number over 0",
                "- a|mawashi.yml line 1: the file must be a map of names",
                "a: [|mawashi.yml is no YAML: while parsing a flow",
                "{[a]: 1}|line 1: a key must be a name",
            })
    void whatCannotBeFollowedIsAnErrorThatNamesItsPlace(String text, String message) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void theLineIsThatOfTheMistake() {
        assertThatThrownBy(() -> parse("runner: mri\nqueues:\n  a:\n    processes: -1\n"))
                .hasMessageStartingWith("mawashi.yml line 4: queues.a.processes is -1,");
    }

    @Test
    void allMistakesAreFoundAtOnce() {
        String text =
                "runner: mir\nqueues:\n  a: { processes: -1, runer: mri }\n  b: {}\n  b: {}\nresque: 5\n";
        assertThatThrownBy(() -> parse(text))
                .isInstanceOfSatisfying(
                        ConfigFailure.class,
                        failure -> {
                            assertThat(failure.mistakes())
                                    .satisfiesExactlyInAnyOrder(
                                            line -> assertThat(line).contains("line 1: runner is"),
                                            line -> assertThat(line).contains("processes is -1"),
                                            line -> assertThat(line).contains("key queues.a.runer"),
                                            line -> assertThat(line).contains("given twice"),
                                            line -> assertThat(line).contains("resque must be a"));
                            assertThat(failure)
                                    .hasMessageEndingWith("(and 4 more: mawashi config --check)");
                        });
    }

    @Test
    void eachSettingKnowsItsLine() {
        RunnerChoice choice = parse(FULL).with(PoolSettings.NONE, "ruby4", null);

        assertThat(choice.all().origins().place("processes", "-")).isEqualTo("mawashi.yml line 4");
        assertThat(choice.all().origins().place("concurrency", "-")).isEqualTo("-");
        assertThat(choice.origins().place("ruby", "-")).isEqualTo("--ruby");
        assertThat(choice.origins().place("java_classpath", "-")).isEqualTo("mawashi.yml line 3");
        assertThat(choice.resque().origins().place("namespace", "-"))
                .isEqualTo("mawashi.yml line 17");
    }

    @Test
    void noFileAndAnEmptyOneSayNothing(@TempDir Path folder) throws IOException {
        assertThat(MawashiFile.read(folder.resolve("none.yml"))).isEqualTo(RunnerChoice.NONE);
        Path empty = Files.writeString(folder.resolve("empty.yml"), "# nothing yet\n");
        assertThat(MawashiFile.read(empty)).isEqualTo(RunnerChoice.NONE);
        assertThatThrownBy(() -> MawashiFile.read(folder))
                .isInstanceOf(ConfigFailure.class)
                .hasMessageStartingWith("cannot read " + folder);
    }
}
