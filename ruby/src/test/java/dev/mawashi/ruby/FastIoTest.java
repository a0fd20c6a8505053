package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An app's `require "mawashi/fast_io"`. What it reads then is `lines_test.rb`'s matter.
class FastIoTest {
    @TempDir private Path folder;
    private RubyRuntime ruby;
    private Path text;

    @BeforeEach
    void bootRuby() throws IOException {
        text = Files.writeString(folder.resolve("text"), "a\nb\n");
        ruby = TestRuby.boot("src/test/ruby/apps/fast_io.rb");
    }

    @AfterEach
    void closeRuby() {
        ruby.close();
    }

    private String eval(String script) {
        return ruby.eval(script.formatted(text)).toString();
    }

    @Test
    void theMethodsAreOurs() {
        assertThat(eval("[IO, File].map { |k| k.method(:foreach).owner }.uniq"))
                .isEqualTo("[Mawashi::Lines::Foreach]");
        assertThat(eval("[IO, File].map { |k| k.instance_method(:each_line).owner }.uniq"))
                .isEqualTo("[Mawashi::Lines::EachLine]");
    }

    @Test
    void linesAreRead() {
        assertThat(eval("all = []; IO.foreach('%s') { |l| all << l << $. << $_ }; all"))
                .isEqualTo("[\"a\\n\", 1, \"a\\n\", \"b\\n\", 2, \"b\\n\"]");
        assertThat(eval("File.foreach('%s', chomp: true).to_a")).isEqualTo("[\"a\", \"b\"]");
        assertThat(eval("File.open('%s') { |f| f.each_line('b', chomp: true).to_a }"))
                .isEqualTo("[\"a\\n\", \"\\n\"]");
    }

    @Test
    void whatIsNoFileIsReadToo() {
        assertThat(eval("r, w = IO.pipe; w << \"a\\nb\"; w.close; r.each_line(chomp: true).to_a"))
                .isEqualTo("[\"a\", \"b\"]");
    }

    @Test
    void aSecondRequireAndAPatchOverItWork() {
        eval(
                """
                load 'mawashi/fast_io.rb'
                class IO
                  class << self
                    alias_method :plain_foreach, :foreach
                    def foreach(*args, **options, &block)
                      plain_foreach(*args, **options) { |line| block.call("patched " + line) }
                    end
                  end
                end
                """);
        // What is prepended comes before what the class itself defines, as with any prepended
        // module.
        assertThat(eval("all = []; IO.foreach('%s') { |l| all << l }; all"))
                .isEqualTo("[\"a\\n\", \"b\\n\"]");
    }
}
