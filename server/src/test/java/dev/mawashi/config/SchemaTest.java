package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The JSON schema of `config/mawashi.yml` and its reader have the same keys, and agree on files.
final class SchemaTest {
    private static final String STRANGER = "zzzzzzzzzzzz";
    private static final Pattern KNOWN = Pattern.compile("known are (.*)");
    private static final Map<String, Object> SCHEMA = map(load(MawashiFile.schema()));

    /// JSON is YAML too.
    private static Object load(String text) {
        return new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "properties|zzzzzzzzzzzz: 1",
                "$defs/pool/properties|queues: { a: { zzzzzzzzzzzz: 1 } }",
                "$defs/pool/properties|capsules: { a: { zzzzzzzzzzzz: 1 } }",
                "$defs/runner_pool/properties|runners: { mri: { zzzzzzzzzzzz: 1 } }",
                "$defs/rule/properties|redact: [{ zzzzzzzzzzzz: 1 }]",
                "$defs/schedule/properties|cron: { a: { zzzzzzzzzzzz: 1 } }",
                "properties/restart/properties|restart: { zzzzzzzzzzzz: 1 }",
                "properties/resque/properties|resque: { zzzzzzzzzzzz: 1 }",
            })
    void theSchemaHasTheKeysOfTheReader(String place, String text) {
        ConfigFailure failure =
                catchThrowableOfType(
                        ConfigFailure.class, () -> MawashiFile.parse(text, "mawashi.yml"));
        Matcher known = KNOWN.matcher(String.valueOf(failure.getMessage()));
        assertThat(known.find()).isTrue();
        assertThat(at(place).keySet())
                .containsExactlyInAnyOrderElementsOf(List.of(known.group(1).split(", ")))
                .doesNotContain(STRANGER);
    }

    private static Map<String, Object> at(String place) {
        Map<String, Object> found = SCHEMA;
        for (String name : place.split("/")) {
            found = map(Objects.requireNonNull(found.get(name), place));
        }
        return found;
    }

    @Test
    void eachRunnerIsInIt() {
        assertThat(at("properties/runners/properties").keySet())
                .containsExactlyInAnyOrderElementsOf(RunnerKind.words());
        assertThat(at("properties/runner").get("enum")).isEqualTo(RunnerKind.words());
        assertThat(at("properties/resque/properties/runner").get("enum"))
                .isEqualTo(RunnerKind.rubyWords());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "queues:",
                "runners: { jruby: }",
                "{ runner: mri, processes: 1000, concurrency: 100000, threads: virtual }",
                "{ time_limit: 0.5, memory_limit: 1000000, recycle_jobs: 2147483647 }",
                "{ time_limit: 1000000, recycle_hours: 100000, ruby: ruby3, java_classpath: lib/* }",
                "connections: 10000",
                "log_level: debug",
                "log_level: error",
                "log_level:",
                "queues: { a: { runner: fork, concurrency: 1 }, b: { time_limit: 9 } }",
                "capsules: { m: { processes: 2, memory_limit: 400 } }",
                "redact: [{ class: A, keys: b }, { class: '*', keys: [b, 'c*'] }, { class: D, args: all }]",
                "redact: [{ class: A, args: [0, 999] }]",
                "restart: { boot_limit: 86400, old_limit: 0.5, memory: 1000000 }",
                "resque: { queues: 'a,*,!b', namespace: n, runner: fork, time_limits: { a: 2.5 } }",
            })
    void bothAcceptGoodFiles(String text) {
        assertThat(mistake(text)).isNull();
        assertThat(catchThrowable(() -> MawashiFile.parse(text, "mawashi.yml"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- a",
                "runner: mir",
                "resque: { runner: java }",
                "connections: 0",
                "log_level: 5",
                "log_level: WARN",
                "processes: 0",
                "processes: 1001",
                "processes: 2.5",
                "concurrency: 100001",
                "concurrency: many",
                "threads: 5",
                "time_limit: 0",
                "time_limit: 1000001",
                "memory_limit: 1000001",
                "recycle_jobs: 2147483648",
                "recycle_hours: 100001",
                "ruby: [a]",
                "queues: [a]",
                "queues: { a: mri }",
                "queues: { a: { runer: mri } }",
                "runners: { perl: {} }",
                "runners: { mri: { runner: mri } }",
                "resque: { queues: '' }",
                "resque: { time_limits: { a: 0 } }",
                "resque: high",
                "restart: { boot_limit: 86401 }",
                "restart: { old_limit: 0 }",
                "restart: { memory: 0.5 }",
                "redact:",
                "redact: []",
                "redact: A",
                "redact: [A]",
                "redact: [{ keys: b }]",
                "redact: [{ class: A, keys: [] }]",
                "redact: [{ class: A, key: b }]",
                "redact: [{ class: A, args: [1000] }]",
            })
    void bothRefuseBadFiles(String text) {
        assertThat(mistake(text)).isNotNull();
        assertThat(catchThrowable(() -> MawashiFile.parse(text, "mawashi.yml")))
                .isInstanceOf(ConfigFailure.class);
    }

    private static @Nullable String mistake(String text) {
        return new SchemaWalk(SCHEMA).mistake(SCHEMA, load(text));
    }
}
