package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shipped API on the machine's own MRI, without a server, and the same contract on Debian's
/// sidekiq: what both pass, apps can rely on with either.
class MriSuiteTest {
    private static final String CONTRACT = "src/test/ruby/contract";
    private static final String MRI = "src/test/ruby/mri";

    /// As the guide says.
    static final String GEMFILE =
            "gem \"mawashi-sidekiq\", path: \"%s\"\n"
                    .formatted(Path.of("..").toAbsolutePath().normalize());

    private static RedisServerForTests redis;

    @BeforeAll
    static void startRedis() {
        redis = new RedisServerForTests();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Test
    void theShippedApiKeepsTheContractOnMri() throws Exception {
        List<Path> files = new ArrayList<>(RubySuiteTest.testsIn(CONTRACT));
        files.addAll(RubySuiteTest.testsIn(MRI));
        RubySuiteTest.testsIn("src/test/ruby").stream()
                .filter(file ->
                        file.getFileName()
                                .toString()
                                .matches("(shim|resque|reliances|lifecycle|lines|own|http).*"))
                .forEach(files::add);

        String output = run(files, Map.of());

        assertThat(output).doesNotContain("warning:");
    }

    @Test
    void sidekiqItselfKeepsTheContract() throws Exception {
        List<Path> files = new ArrayList<>(RubySuiteTest.testsIn(CONTRACT));
        files.add(Path.of(MRI, "stored_test.rb"));

        run(files, Map.of("SIDEKIQ", "gem"));
    }

    /// By themselves: others load what changes Sidekiq's client.
    @Test
    void whatGemsKeepInRedisIsHonoured() throws Exception {
        run(RubySuiteTest.testsIn("src/test/ruby/gem"), Map.of("SIDEKIQ", "gem"));
    }

    @Test
    void aGemfileMayNameIt(@TempDir Path directory) throws Exception {
        Path gemfile = Files.writeString(directory.resolve("Gemfile"), GEMFILE);
        String script =
                """
                require "bundler/setup"
                Bundler.require
                class AddJob
                  include Sidekiq::Job
                end
                Sidekiq.testing!(:fake)
                AddJob.perform_async(1)
                print AddJob.jobs.first["args"], Sidekiq.server?
                """;

        String output =
                output(
                        List.of("ruby", "-e", script),
                        Map.of("BUNDLE_GEMFILE", gemfile.toString(), "HOME", directory.toString()));

        assertThat(output).isEqualTo("[1]false");
    }

    private static String run(List<Path> files, Map<String, String> variables)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ruby", "-w", "src/test/ruby/suite.rb"));
        files.forEach(file -> command.add(file.toString()));
        String output = output(command, variables);

        assertThat(output).containsPattern("[1-9]\\d* runs, .* 0 failures, 0 errors, 0 skips");
        return output;
    }

    private static String output(List<String> command, Map<String, String> variables)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(TestRuby.environment(variables));
        environment.put("REDIS_URL", redis.url());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
