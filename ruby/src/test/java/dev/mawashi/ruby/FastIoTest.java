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
        assertThat(
                        eval(
                                "[IO, File].product(%%i[foreach readlines])"
                                        + ".map { |k, m| k.method(m).owner }.uniq"))
                .isEqualTo("[Mawashi::Lines::ClassMethods]");
        assertThat(
                        eval(
                                "%%i[each_line readlines gets]"
                                        + ".map { |m| File.instance_method(m).owner }.uniq"))
                .isEqualTo("[Mawashi::Lines::InstanceMethods]");
    }

    @Test
    void whatSomebodyHasReplacedStaysTheirs() {
        try (RubyRuntime patched = TestRuby.boot("src/test/ruby/apps/patched_io.rb")) {
            assertThat(
                            patched.eval(
                                            "[IO.method(:foreach), IO.method(:readlines),"
                                                    + " IO.instance_method(:gets)].map(&:owner)")
                                    .toString())
                    .isEqualTo("[#<Class:IO>, Mawashi::Lines::ClassMethods, IO]");
        }
    }

    @Test
    void linesAreRead() {
        assertThat(eval("all = []; IO.foreach('%s') { |l| all << l << $. << $_ }; all"))
                .isEqualTo("[\"a\\n\", 1, \"a\\n\", \"b\\n\", 2, \"b\\n\"]");
        assertThat(eval("File.foreach('%s', chomp: true).to_a")).isEqualTo("[\"a\", \"b\"]");
        assertThat(eval("File.open('%s') { |f| f.each_line('b', chomp: true).to_a }"))
                .isEqualTo("[\"a\\n\", \"\\n\"]");
        assertThat(eval("File.readlines('%s', chomp: true)")).isEqualTo("[\"a\", \"b\"]");
        assertThat(eval("File.open('%s') { |f| [f.gets, $_, $., f.readlines, f.gets, $_] }"))
                .isEqualTo("[\"a\\n\", \"a\\n\", 1, [\"b\\n\"], nil, nil]");
        assertThat(eval("File.open('%s') { |f| [f.gets(0), f.gets(nil, chomp: true)] }"))
                .isEqualTo("[\"\", \"a\\nb\\n\"]");
    }

    @Test
    void whatIsNoFileIsReadToo() {
        assertThat(eval("r, w = IO.pipe; w << \"a\\nb\"; w.close; r.each_line(chomp: true).to_a"))
                .isEqualTo("[\"a\", \"b\"]");
        assertThat(eval("r, w = IO.pipe; w << \"a\\nb\"; w.close; [r.gets, $_, r.readlines]"))
                .isEqualTo("[\"a\\n\", \"a\\n\", [\"b\"]]");
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
