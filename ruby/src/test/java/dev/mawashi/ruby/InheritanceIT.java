package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jruby.Ruby;
import org.jruby.api.Convert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which open files a program has that Ruby code starts, in each way there is.
class InheritanceIT {
    /// Prints the numbers of its open files. What it reads them from is no file of `sh`.
    private static final String LIST = "ls /proc/$$/fd; :";

    private static RubyRuntime ruby;

    /// Java's sockets are not closed on exec.
    private static ServerSocket port;

    @BeforeAll
    static void bootRuby() throws IOException {
        port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ruby = TestRuby.boot(TestRuby.JOBS);
        ruby.eval(
                """
                require "open3"
                LIST = "%s"
                def read_from
                  reader, writer = IO.pipe
                  yield writer
                  writer.close
                  reader.read
                ensure
                  reader.close
                end
                """
                        .formatted(LIST));
    }

    @AfterAll
    static void closeRuby() throws IOException {
        ruby.close();
        port.close();
    }

    private static List<String> numbers(String script) {
        return ruby.eval(script).asJavaString().lines().sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "`#{LIST}`",
                "IO.popen(LIST, &:read)",
                "IO.popen(['sh', '-c', LIST], 'r+', &:read)",
                "IO.popen(['sh', '-c', LIST], chdir: '/', &:read)",
                "Open3.capture2e(LIST).first",
                "read_from { |writer| system(LIST, out: writer) }",
                "read_from { |writer| Process.wait(spawn(LIST, out: writer)) }",
                "read_from { |writer| Process.wait(spawn('sh', '-c', LIST, 1 => writer)) }",
                "read_from { |writer| Process.wait(spawn(LIST, [1, 2] => writer, pgroup: true)) }",
                "read_from { |writer| Process.detach(spawn(LIST, out: writer)).join }",
                "IO.pipe.then { |pair| `#{LIST}`.tap { pair.each(&:close) } }"
            })
    void aProgramHasTheThreeThatAllHave(String way) {
        assertThat(numbers(way)).containsExactly("0", "1", "2");
    }

    @Test
    void aProgramHasWhatItIsGiven() {
        assertThat(
                        numbers(
                                """
                                read_from do |writer|
                                  Process.wait(spawn(LIST, out: writer, 9 => writer, 777 => "/dev/null"))
                                end\
                                """))
                .containsExactly("0", "1", "2", "777", "9");
        assertThat(
                        ruby.eval(
                                        """
                                        read_from do |writer|
                                          given = { out: writer, 1020 => writer, :err => [:child, :out] }
                                          Process.wait(spawn("echo through >/proc/self/fd/1020; echo beside >&2", given))
                                        end\
                                        """)
                                .asJavaString())
                .isEqualTo("through\nbeside\n");
    }

    /// The mark on the server's own descriptor does not change: what others start does not have it.
    @Test
    void aFileThatIsGivenUnderItsOwnNumberIsGivenOnce() {
        List<String> seen =
                numbers(
                        """
                        other = IO.pipe
                        given = other.last.fileno
                        first = read_from { |w| Process.wait(spawn(LIST, out: w, given => given)) }
                        numbers = first.lines.map(&:to_i) - [given]
                        Process.wait(spawn("echo x >/proc/self/fd/#{given}", given => given))
                        afterwards = `#{LIST}`.lines.size
                        other.last.close
                        "#{first.lines.size} #{numbers} #{afterwards} #{other.first.read}"
                        """);

        assertThat(seen).containsExactly("4 [0, 1, 2] 3 x");
    }

    @Test
    void aFileThatIsToStayOpenIsInheritedUntilItIsClosed() throws IOException {
        Ruby runtime = ruby.eval("$kept = IO.pipe.last").getRuntime();
        String number = ruby.eval("$kept.fileno").toString();
        assertThat(ruby.eval("$kept.close_on_exec?").isTrue()).isTrue();

        ruby.eval("$kept.close_on_exec = false");
        assertThat(ruby.eval("$kept.close_on_exec?").isTrue()).isFalse();
        assertThat(numbers("`#{LIST}`")).containsExactlyInAnyOrder("0", "1", "2", number);

        ruby.eval("$kept.close");
        // What Java opens next has the number that became free.
        try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(numbers("`#{LIST}`")).containsExactly("0", "1", "2");
        }
        assertThat(runtime.getPosix().isNative()).isTrue();
    }

    @Test
    void whatIsOpenedMeanwhileIsNotInherited() throws InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread opener = Thread.ofPlatform().start(() -> openAndClose(isOver));
        try {
            for (int i = 0; i < 50; i++) {
                assertThat(numbers("`#{LIST}`")).containsExactly("0", "1", "2");
            }
        } finally {
            isOver.set(true);
            opener.join();
        }
    }

    private static void openAndClose(AtomicBoolean isOver) {
        while (!isOver.get()) {
            try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    ServerSocket _ = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread.onSpinWait();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aProgramThatIsNotThereIsToldAsBefore() {
        assertThat(
                        ruby.eval(
                                        "begin; spawn('/no/such', 2 => 1); rescue => e; e.class.name; end")
                                .asJavaString())
                .isEqualTo("Errno::ENOENT");
        assertThat(
                        Convert.toInt(
                                ruby.eval("nil").getRuntime().getCurrentContext(),
                                ruby.eval("system('exit 7'); $?.exitstatus")))
                .isEqualTo(7);
    }
}
