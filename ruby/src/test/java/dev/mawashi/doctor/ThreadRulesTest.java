package dev.mawashi.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ThreadRulesTest {
    private static final RubyParser PARSER = new RubyParser();

    @AfterAll
    static void closeParser() {
        PARSER.close();
    }

    private static List<Finding> findings(String ruby) {
        return SourceFile.of("a.rb", PARSER.parse(ruby.getBytes(UTF_8))).findings();
    }

    private static List<Rule> running(String ruby) {
        return findings(ruby).stream()
                .filter(one -> !one.isAtLoad())
                .map(Finding::rule)
                .distinct()
                .toList();
    }

    static Stream<Arguments> harmful() {
        return Stream.of(
                bad(Rule.CLASS_STATE, "class A; def self.x; @x ||= load; end; end"),
                bad(Rule.CLASS_STATE, "class A; class << self; def x(v) = @x = v; end; end"),
                bad(Rule.CLASS_STATE, "class A; def A.count; @n += 1; end; end"),
                bad(Rule.CLASS_STATE, "class A; def self.two; @a, @b = 1, 2; end; end"),
                bad(Rule.CLASS_STATE, "module M; module_function; def x; @x = 1; end; end"),
                bad(Rule.CLASS_STATE, "module M; def x; @x = 1; end; module_function :x; end"),
                bad(Rule.CLASS_STATE, "module M; extend self; def x; @x = 1; end; end"),
                bad(
                        Rule.CLASS_STATE,
                        "module M; module ClassMethods; def x; @x = 1; end; end; end"),
                bad(Rule.CLASS_STATE, "module M; class_methods do; def x; @x = 1; end; end; end"),
                bad(
                        Rule.CLASS_STATE,
                        "class A; define_singleton_method(:x) { |v| instance_variable_set(:@x, v) };"
                                + " end"),
                bad(Rule.CLASS_STATE, "class A; @all = []; def self.add(v); @all << v; end; end"),
                bad(Rule.CLASS_STATE, "class A; def x; self.class.total += 1; end; end"),
                bad(Rule.CLASS_STATE, "class A; def x; self.class.last = 1; end; end"));
    }

    static Stream<Arguments> harmfulToo() {
        return Stream.of(
                bad(Rule.CLASS_STATE, "def x(v); A.class_eval { @x = v }; end"),
                bad(Rule.CLASS_VARIABLE, "class A; @@n = 0; def x; @@n += 1; end; end"),
                bad(Rule.CLASS_VARIABLE, "class A; @@a = []; def x; @@a << 1; end; end"),
                bad(Rule.GLOBAL, "class A; def x; $last = 1; end; end"),
                bad(Rule.GLOBAL, "class A; def x; $seen ||= {}; end; end"),
                bad(Rule.GLOBAL, "def x; $stdout = StringIO.new; end"),
                bad(Rule.MUTABLE_CONSTANT, "class A; SEEN = []; def x(v); SEEN << v; end; end"),
                bad(Rule.MUTABLE_CONSTANT, "class A; MAP = {}; def x(k); MAP[k] ||= 1; end; end"),
                bad(Rule.MUTABLE_CONSTANT, "S = Set.new; class A; def x(k); S.add(k); end; end"),
                bad(Rule.ENVIRONMENT, "class A; def x; ENV['TZ'] = 'UTC'; end; end"),
                bad(Rule.ENVIRONMENT, "class A; def x; ENV['TZ'] ||= 'UTC'; end; end"),
                bad(Rule.ENVIRONMENT, "class A; def x; ::ENV.delete('TZ'); end; end"),
                bad(Rule.ENVIRONMENT, "def x; Bundler.with_unbundled_env { system 'ls' }; end"),
                bad(Rule.FOLDER, "class A; def x; Dir.chdir('/tmp') { y }; end; end"),
                bad(Rule.FOLDER, "def x; FileUtils.cd '/tmp'; end"),
                bad(Rule.PROCESS, "def x; Process.setproctitle('a'); end"),
                bad(Rule.PROCESS, "def x; File.umask(0); end"),
                bad(Rule.PROCESS, "def x; trap('TERM') { y }; end"),
                bad(Rule.PROCESS, "def x; $0 = 'me'; end"),
                bad(Rule.PROCESS, "def x; exit!; end"),
                bad(Rule.EXEC, "def x; exec 'ls'; end"),
                bad(Rule.FORK, "def x; fork { y }; end"),
                bad(Rule.FORK, "def x; Process.daemon; end"),
                bad(Rule.MRI_ONLY, "def x; RubyVM::InstructionSequence.compile('1'); end"),
                bad(Rule.TIMEOUT, "def x; Timeout.timeout(3) { y }; end"),
                bad(Rule.THREAD, "def x; Thread.new { y }; end"),
                bad(Rule.CLASS_STATE, "class A; scope = -> { @x = 1 }; end"));
    }

    private static Arguments bad(Rule rule, String ruby) {
        return Arguments.of(rule, ruby);
    }

    @ParameterizedTest
    @MethodSource
    void harmful(Rule rule, String ruby) {
        assertThat(running(ruby)).containsExactly(rule);
    }

    @ParameterizedTest
    @MethodSource
    void harmfulToo(Rule rule, String ruby) {
        assertThat(running(ruby)).containsExactly(rule);
    }

    static Stream<String> harmless() {
        return Stream.of(
                "class A; def x; @x ||= 1; @y = 2; end; end",
                "class A; def self.x; x = 1; x += 1; end; end",
                "class A; def self.x; @lock.synchronize { @x ||= 1 }; end; end",
                "class A; @x = 1; end",
                "module M; def x; @x = 1; end; module_function; def y; 1; end; end",
                "module M; def x; @x = 1; end; end",
                "module M; def x; @x = 1; end; def y; 1; end; module_function :y; end",
                "class A; define_method(:x) { @x = 1 }; end",
                "class A; @map = Concurrent::Map.new; def self.x(k); @map[k] = 1; end; end",
                "class A; QUEUE = Queue.new; def x; QUEUE << 1; end; end",
                "class A; LIST = [1].freeze; def x; LIST + [2]; end; end",
                "class A; LIST = []; LIST << 1; end",
                "class A; def x; User.delete(1); end; end",
                "class A; def x; ENV['TZ']; ENV.fetch('TZ'); end; end",
                "ENV['TZ'] ||= 'UTC'",
                "$boot = Time.now",
                "class A; @@n = 0; def x; @@n; end; end",
                "def x; pid = fork; end; def fork; 1; end; class A; def fork; end; end; fork(1)",
                "def x; redis.exec; connection.fork; end",
                "def x; \"=~\" =~ /a/; $~; end",
                "def x; system('ls'); `ls`; Process.clock_gettime(1); Process.pid; end",
                "def x; defined?(RubyVM); end",
                "# Dir.chdir and fork and ENV['A'] = 1\ndef x; 'exec fork'; end",
                "def x; File.umask; end");
    }

    @ParameterizedTest
    @MethodSource
    void harmless(String ruby) {
        String own = ruby.contains("def fork") ? "class B; " + ruby + "; end" : ruby;
        assertThat(running(own)).isEmpty();
    }

    @Test
    void aForkedProcessMayDoWhatItLikes() {
        assertThat(running("def x; fork { exec 'ls'; exit! }; end")).containsExactly(Rule.FORK);
    }

    @Test
    void atLoadItIsNoticedAndDemandsNoRunner() {
        List<Finding> found =
                findings(
                        """
                        Dir.chdir("/tmp")
                        class A
                          @list = [1, 2]
                          cattr_accessor :user
                          class << self
                            attr_accessor :cache
                          end
                        end
                        """);
        assertThat(found)
                .extracting(Finding::rule, Finding::line, Finding::runner)
                .containsExactly(
                        tuple(Rule.FOLDER, 1, BestRunner.JRUBY),
                        tuple(Rule.SHARED_OBJECT, 3, BestRunner.JRUBY),
                        tuple(Rule.CLASS_ATTRIBUTE, 4, BestRunner.JRUBY),
                        tuple(Rule.CLASS_ATTRIBUTE, 6, BestRunner.JRUBY));
    }

    @Test
    void aFrozenLiteralIsNoSharedObject() {
        assertThat(findings("# frozen_string_literal: true\nclass A; @x = \"a\"; end")).isEmpty();
        assertThat(findings("class A; @x = [1].freeze; end")).isEmpty();
        assertThat(findings("class A; setup { @x = [1] }; end")).isEmpty();
    }

    @Test
    void aFileThatDoesNotParseHasItsFirstMistake() {
        assertThat(findings("class A\n  def x(\nend\n"))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.rule()).isEqualTo(Rule.SYNTAX);
                    assertThat(one.runner()).isEqualTo(BestRunner.MRI);
                    assertThat(one.line()).isBetween(2, 3);
                });
    }

    @Test
    void theSyntaxOfJRubysLanguageIsKnownAndNotMore() {
        assertThat(findings("def a(...) = b(...)\nx = [1].map { it + 1 }\n")).isEmpty();
        assertThat(findings("a\n  && b\n")).isEmpty();
    }
}
