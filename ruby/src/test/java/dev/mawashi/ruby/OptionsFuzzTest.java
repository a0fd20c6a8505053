package dev.mawashi.ruby;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Fuzz;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that somebody gives as `config/sidekiq.yml`, ERB included: each is read, or refused with a
/// line that names it.
class OptionsFuzzTest {
    /// In bytes: the last of them are no UTF-8.
    private static final String[] WORDS = {
        "queues",
        "concurrency",
        "timeout",
        "capsules",
        "production",
        "labels",
        "tag",
        "require",
        ":queues:\n  - a\n",
        ": ",
        ":\n  ",
        "\n",
        "\r\n",
        "- ",
        "  - ",
        ", ",
        "[",
        "]",
        "{",
        "}",
        "[a, 3]",
        "a,2",
        "&a ",
        "*a",
        "&b [*a, *a]",
        "<<: *a",
        "? ",
        "1",
        "-1",
        "1e9",
        "0x10",
        "1_000",
        ".nan",
        ".inf",
        "2026-01-01",
        "null",
        "~",
        "true",
        ":sym",
        "'",
        "\"",
        "|\n ",
        ">\n ",
        "#",
        "=",
        "!",
        "!!set ",
        "!ruby/object:Object ",
        "---\n",
        "...\n",
        "%YAML 1.2\n---\n",
        "<% ",
        "<%= ",
        " %>",
        "<%# ",
        "-%>",
        "1+1",
        "raise 'x'",
        "nil",
        "\t",
        "\\",
        "\u0000",
        "\u00ef\u00bb\u00bf",
        "\u00ff"
    };

    private static RubyRuntime ruby;

    @TempDir Path folder;

    @BeforeAll
    static void bootRuby() {
        ruby = TestRuby.boot(TestRuby.JOBS);
        ruby.eval(
                """
                $options_fuzz = lambda do |file|
                  Mawashi::Options.read({ config_file: file }, "production")
                  "read"
                rescue Mawashi::Error => e
                  e.message
                end
                """);
    }

    @AfterAll
    static void closeRuby() {
        ruby.close();
    }

    @Test
    void anyTextIsReadOrRefusedWithALine() {
        Path file = folder.resolve("sidekiq.yml");
        Fuzz.run("sidekiq.yml", random -> read(random, file));
    }

    private static void read(Random random, Path file) {
        StringBuilder text = new StringBuilder();
        for (int words = random.nextInt(30); words > 0; words--) {
            text.append(WORDS[random.nextInt(WORDS.length)]);
        }
        byte[] bytes = text.toString().getBytes(ISO_8859_1);
        if (random.nextInt(4) == 0) {
            bytes = Fuzz.mutated(bytes, random);
        }
        try {
            Files.write(file, bytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        String answer = ruby.eval("$options_fuzz.call('" + file + "')").asJavaString();
        if (!answer.equals("read")) {
            assertThat(answer).contains("sidekiq.yml");
        }
    }
}
