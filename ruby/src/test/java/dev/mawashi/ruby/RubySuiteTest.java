package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.client.Iterations;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Runs every `src/test/ruby/*_test.rb` and `contract/*_test.rb` in the embedded runtime, one JUnit
/// test per file. `MriSuiteTest` runs on MRI what needs no server.
class RubySuiteTest {
    private static final String JOBS = "src/test/ruby/apps/jobs.rb";
    private static RedisServerForTests redis;
    private static Iterations iterations;
    private static RubyRuntime ruby;

    @BeforeAll
    static void bootRuby() {
        redis = new RedisServerForTests();
        iterations = new Iterations(redis.connect());
        RubySettings plain = TestRuby.settings(JOBS, Map.of(), new TestRuby.Kept());
        ruby =
                RubyRuntime.boot(
                        new RubySettings(
                                plain.flags(),
                                plain.processEnvironment(),
                                null,
                                plain.sink(),
                                iterations));
        ruby.eval(
                """
                gems = "uri:classloader:/META-INF/jruby.home/lib/ruby/gems/shared/gems/"
                $LOAD_PATH.push(gems + "minitest-6.0.0/lib", gems + "drb-2.2.3/lib")
                require "minitest"
                Minitest.seed = 1
                """);
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
        iterations.close();
        redis.close();
    }

    @TestFactory
    Stream<DynamicTest> rubyTests() throws IOException {
        List<Path> own = testsIn("src/test/ruby");
        List<Path> contract = testsIn("src/test/ruby/contract");
        return Stream.concat(own.stream(), contract.stream())
                .map(file ->
                        DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(file)));
    }

    static List<Path> testsIn(String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            List<Path> files =
                    all.filter(file -> file.toString().endsWith("_test.rb")).sorted().toList();
            assertThat(files).as(folder).isNotEmpty();
            return files;
        }
    }

    private static void run(Path file) {
        ruby.eval("Minitest::Runnable.reset; load '%s'".formatted(file.toAbsolutePath()));

        assertThat(
                        ruby.eval(
                                        "Minitest::Runnable.runnables.any? { |r| r.runnable_methods.any? }")
                                .isTrue())
                .as("%s has tests", file)
                .isTrue();
        assertThat(ruby.eval("Minitest.run(%w[--no-plugins])").isTrue()).isTrue();
    }
}
