package dev.mawashi.ruby.lines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyInstanceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random texts, separators, limits, encodings and blocks: `Mawashi::Lines` answers as MRI does,
/// and as JRuby where it leaves the call to JRuby.
///
/// Long: four thousand calls of each Ruby; LongLineTest, ByteSearchTest and the Ruby tests of lines
/// are quick.
@Tag("long")
class LinesPropertyTest {
    private static final long SEED = 20261121;
    private static final Path CASES = Path.of("src/test/ruby/lines/cases.rb").toAbsolutePath();

    @TempDir private Path folder;
    private Ruby ruby;

    @BeforeEach
    void bootRuby() {
        RubyInstanceConfig config = new RubyInstanceConfig();
        config.setLoadPaths(List.of("uri:classloader:/"));
        ruby = Ruby.newInstance(config);
        ruby.evalScriptlet("load '%s'; require 'mawashi/lines'".formatted(CASES));
    }

    @AfterEach
    void endRuby() {
        ruby.tearDown(false);
    }

    @Test
    void linesAreThoseOfMri() throws IOException, InterruptedException {
        Path texts = Files.createDirectory(folder.resolve("texts"));
        Path calls = folder.resolve("calls");
        Path answers = folder.resolve("answers");
        ruby.evalScriptlet(
                "$calls = LineCases.make(%d, '%s'); File.binwrite('%s', Marshal.dump($calls))"
                        .formatted(SEED, texts, calls));
        answerByMri(calls, answers);

        String differences =
                ruby.evalScriptlet(
                                """
                                answers = {
                                  ours: $calls.map { |call| LineCases.answer(call, Mawashi::Lines) },
                                  jruby: $calls.map { |call| LineCases.answer(call, IO) if LineDifferences.as_jruby?(call) },
                                  mri: Marshal.load(File.binread('%s'))
                                }
                                LineDifferences.of($calls, answers).join("\\n")
                                """
                                        .formatted(answers))
                        .asJavaString();

        assertThat(differences).as("seed %d", SEED).isEmpty();
    }

    private static void answerByMri(Path calls, Path answers)
            throws IOException, InterruptedException {
        ProcessBuilder program =
                new ProcessBuilder("ruby", CASES.toString(), calls.toString(), answers.toString())
                        .redirectErrorStream(true);
        // As this process has begun: to ask is to pass that on, and not what a JRuby here has made
        // of it.
        program.environment();
        Process process = program.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
