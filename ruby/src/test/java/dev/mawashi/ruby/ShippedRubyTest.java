package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jruby.Ruby;
import org.jruby.RubyInstanceConfig;
import org.jruby.RubyInstanceConfig.Verbosity;
import org.junit.jupiter.api.Test;

/// The Ruby files that Mawashi ships keep to the style guide.
class ShippedRubyTest {
    private static final Path SOURCES = Path.of("src/main/ruby");
    private static final int LINES_MAX = 150;

    @Test
    void theyLoadWithoutWarnings() {
        ByteArrayOutputStream warnings = new ByteArrayOutputStream();
        RubyInstanceConfig config = new RubyInstanceConfig();
        config.setVerbosity(Verbosity.TRUE);
        config.setLoadPaths(List.of("uri:classloader:/", "uri:classloader:/mawashi/shim"));
        config.setError(new PrintStream(warnings, true, UTF_8));
        Ruby ruby = Ruby.newInstance(config);
        ruby.evalScriptlet(
                "require 'mawashi/boot'; require 'sidekiq'; require 'sidekiq/worker'; require 'mawashi/resque/app'");
        ruby.evalScriptlet("Class.new { include Sidekiq::Job }.get_sidekiq_options");
        ruby.tearDown(false);

        assertThat(warnings.toString(UTF_8)).isEmpty();
    }

    @Test
    void theyAreShortAndTheirStringsFrozen() throws IOException {
        for (Path file : files()) {
            List<String> lines = Files.readAllLines(file);
            assertThat(lines.getFirst()).as("%s", file).isEqualTo("# frozen_string_literal: true");
            assertThat(lines).as("%s", file).hasSizeLessThanOrEqualTo(LINES_MAX);
        }
    }

    @Test
    void noneOfThemNamesJava() throws IOException {
        for (Path file : files()) {
            String code = Files.readString(file).replaceAll("#.*", "");
            assertThat(code).as("%s", file).doesNotContain("java_import").doesNotContain("Java::");
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(file -> file.toString().endsWith(".rb")).toList();
        }
    }
}
