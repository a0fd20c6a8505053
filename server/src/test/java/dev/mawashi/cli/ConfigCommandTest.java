package dev.mawashi.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.config.MawashiFile;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `mawashi config` without the app's code. Nothing listens where its Redis is said to be.
final class ConfigCommandTest {
    private static final String NOWHERE = "redis://:s3cret-word@127.0.0.1:1/3";
    private static final String SECRET = "0123456789-s3cret-word-0123456789";

    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectory(folder.resolve("config"));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve("config").resolve(name), text);
    }

    private int config(Map<String, String> environment, String... flags) {
        List<String> words = new ArrayList<>(List.of("config", "-r", folder.toString()));
        words.addAll(List.of(flags));
        return Main.run(words, environment, new PrintWriter(out, true), new PrintWriter(err, true));
    }

    /// The lines of what was printed, with one space between their words and the folder left out.
    private List<String> rows() {
        return out.toString()
                .replace(folder + "/", "")
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void aFlagWinsOverAVariableAndTheFilesAsInRun() throws IOException {
        write("sidekiq.yml", "concurrency: 3\ntimeout: 8\nqueues: [x]\nstage:\n  max_retries: 7\n");
        write(
                "mawashi.yml",
                "runner: jruby\n\ntime_limit: 600\nqueues: { a: { time_limit: 5 } }\nlog_level: warn\n");

        assertThat(
                        config(
                                Map.of("REDIS_URL", NOWHERE, "RAILS_ENV", "stage"),
                                "-c",
                                "5",
                                "-q",
                                "a,2",
                                "-q",
                                "b"))
                .as(err.toString())
                .isZero();

        assertThat(rows())
                .contains(
                        "environment stage RAILS_ENV",
                        "config file config/sidekiq.yml default",
                        "mawashi.yml config/mawashi.yml default",
                        "timeout 8 s config/sidekiq.yml",
                        "max_retries 7 config/sidekiq.yml, section stage",
                        "dead_max_jobs 10000 default",
                        "redis redis://127.0.0.1:1/3 REDIS_URL: its password is not shown",
                        "log_level warn config/mawashi.yml line 5",
                        "capsule default value from",
                        "queues a,2, b,0 -q: drawn by weights",
                        "runner jruby config/mawashi.yml line 1",
                        "concurrency 5 -c",
                        "time_limit 600 s config/mawashi.yml line 3",
                        "time_limit of a 5 s config/mawashi.yml line 4",
                        "jvm value from");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void withoutFilesEachDefaultHasItsReason() {
        assertThat(config(Map.of(), "--runner", "mri")).isZero();

        assertThat(rows())
                .contains(
                        "config file none default",
                        "environment development default",
                        "redis redis://localhost:6379/0 default",
                        "log_level info default",
                        "queues default default: strict order",
                        "runner mri --runner",
                        "concurrency 10 default: with the gem sidekiq from version 7 on 5: see --load")
                .anyMatch(row ->
                        row.startsWith("processes ")
                                && row.endsWith(
                                        " default: one per core, at most one per job at once"))
                .anyMatch(row -> row.startsWith("heap "));
    }

    @Test
    void aRunnerThatNobodyNamesHasItsReason() {
        assertThat(config(Map.of("PATH", folder.toString()))).isZero();

        assertThat(rows())
                .anyMatch(
                        row -> row.startsWith("runner jruby default: no ") && row.contains(" is "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--lease=40", "--json"})
    void noSecretIsShown(String form) throws IOException {
        write("sidekiq.yml", "api_token: s3cret-word\nredis: { url: 'redis://:s3cret-word@a' }\n");
        Map<String, String> environment =
                Map.of("REDIS_URL", NOWHERE, "MAWASHI_WEB_ENQUEUER", SECRET);

        assertThat(config(environment, form)).isZero();

        assertThat(out.toString())
                .contains("api_token", "MAWASHI_WEB_ENQUEUER")
                .doesNotContain("s3cret-word");
    }

    @Test
    void jsonIsOneObjectWithEachSetting() {
        assertThat(config(Map.of(), "--json", "--runner", "java")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("-r names an app in Ruby");
        assertThat(config(Map.of(), "--json", "--runner", "mri", "-t", "2.5")).isZero();

        Payload json =
                Objects.requireNonNull(
                        Payload.tryParse(out.toString().strip().getBytes(UTF_8)), out::toString);
        assertThat(json.raw("settings"))
                .contains(
                        "{\"part\":\"server\",\"name\":\"timeout\",\"value\":2.5,\"unit\":\"s\","
                                + "\"from\":\"-t\",\"reason\":null}")
                .contains("\"name\":\"strict\",\"value\":false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--lease=40", "--check", "--json"})
    void everyMistakeOfAllFilesIsALineAndNothingElseIsPrinted(String form) throws IOException {
        write("sidekiq.yml", "concurrency: many\ntimeout: soon\n");
        write("mawashi.yml", "runner: mir\nprocesses: 0\nqueues: { a: { runer: mri } }\n");

        assertThat(config(Map.of("REDIS_URL", "http://a"), form)).isEqualTo(Main.WRONG_USE);

        assertThat(err.toString().lines().map(line -> line.replace(folder + "/", "")))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .startsWith(
                                                "mawashi: config/mawashi.yml line 1: runner is mir"),
                        line -> assertThat(line).contains("line 2: processes is 0"),
                        line -> assertThat(line).contains("line 3: unknown key queues.a.runer"),
                        line -> assertThat(line).contains("REDIS_URL: Redis URL must begin with"),
                        line ->
                                assertThat(line)
                                        .contains("concurrency in", "is \"many\"", "timeout in"));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aCapsuleThatTheAppDoesNotHaveIsAMistake() throws IOException {
        write("mawashi.yml", "capsules: { mail: { concurrency: 2 } }\n");

        assertThat(config(Map.of(), "--check")).isEqualTo(Main.WRONG_USE);

        assertThat(err.toString()).contains("names a capsule \"mail\", the app has: default");
    }

    @Test
    void aCheckWithoutMistakesNamesItsFiles() throws IOException {
        write("mawashi.yml", "time_limit: 60\n");

        assertThat(config(Map.of(), "--check")).isZero();

        assertThat(rows()).containsExactly("no mistake found: config/mawashi.yml");
    }

    @Test
    void resquesQueuesHaveAPartOfTheirOwn() throws IOException {
        write("mawashi.yml", "resque: { queues: 'high,!slow', time_limits: { high: 9 } }\n");

        assertThat(config(Map.of(), "--resque-namespace", "app", "--runner", "mri")).isZero();

        assertThat(rows())
                .contains(
                        "queues high,!slow config/mawashi.yml line 1",
                        "namespace app --resque-namespace",
                        "time_limit of high 9 s config/mawashi.yml line 1")
                .doesNotContain("capsule default value from");
    }

    @Test
    void theSchemaIsPrintedAlone() {
        assertThat(config(Map.of(), "--schema")).isZero();
        assertThat(out.toString()).isEqualTo(MawashiFile.schema());

        assertThat(config(Map.of(), "--schema", "--check")).isEqualTo(Main.WRONG_USE);
        assertThat(err.toString()).contains("give one of --check, --json and --schema");
    }
}
