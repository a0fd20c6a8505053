package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Flags of `mawashi run` that cannot be followed: an exit code and one line, before anything is
/// started. What is not refused would wait for a Redis that is not there, and heed no interrupt.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RunFlagsTest {
    private static final Map<String, String> NOWHERE = Map.of("REDIS_URL", "redis://127.0.0.1:1");

    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    private int run(Map<String, String> environment, String... flags) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(flags));
        return Main.run(
                words,
                environment,
                new PrintWriter(new StringWriter()),
                new PrintWriter(err, true));
    }

    private void assertLine(String message) {
        assertThat(err.toString().lines().toList())
                .singleElement()
                .asString()
                .startsWith("mawashi: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-c 1e6|is no whole number",
                "-c 1000000|concurrency is 1000000, must be 1 to 100000",
                "-c 99999999999|is no whole number",
                "`-q `|-q: a queue has no name",
                "-q ,1|-q: a queue has no name",
                "-q a,|-q a,: the weight \"\" is no whole number",
                "-q a,1,|is neither a name nor a name with its weight",
                "-q a,99999999|-q: queue \"a\" has weight 99999999, must be 0 to 1000000",
                "-q a,99999999999|the weight \"99999999999\" is no whole number",
                "-q a,1.5|the weight \"1.5\" is no whole number",
                "-q a,0 -q a|-q names the queue \"a\" twice",
                "--namespace a*b|--namespace: a namespace has 1 to 100 characters",
                "--namespace a --resque b|--namespace is for Sidekiq's queues: have Resque's run in",
                "-t NaN|--timeout NaN is not a number of seconds",
                "-t Infinity|--timeout Infinity is not a number of seconds",
                "-t 1e99|--timeout 1.0E99 is not a number of seconds",
                "-t -0.1|--timeout -0.1 is not a number of seconds",
                "-t soon|is no number",
                "--lease NaN|--lease NaN is not a number of seconds",
                "--lease 7200|lease is 7200.0 s, must be 1 s to 1 h",
                "--sweep 0|sweep is 0.0 s, must be 0.1 s to 1 h",
                "--processes 0|--processes is 0, must be 1 to 1000",
                "--health web|\"web\" is no address: give PORT or HOST:PORT",
                "--log-format xml|--log-format is xml, must be text or json",
                "--health 70000|port 70000 is not 0 to 65535",
                "--runner perl|--runner is perl, must be one of",
                "-q caf\ufffd\ufffd|characters that this locale does not know: set LC_ALL=C.UTF-8",
            })
    void whatCannotBeMeantIsOneLine(String flags, String message) {
        assertThat(run(NOWHERE, flags.split(" ", -1))).isEqualTo(Main.WRONG_USE);

        assertLine(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--runner fork --processes 2|--processes has no effect with runner fork: it goes with mri",
                "--runner jruby --processes 2|--processes has no effect with runner jruby: it goes with",
                "--runner jruby --ruby ruby3|--ruby has no effect with runner jruby: it goes with mri",
            })
    void aFlagOfAnotherRunnerIsWarnedOf(String flags, String message) {
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new LineHandler(lines);
        Logger logger = Logger.getLogger("dev.mawashi.cli");
        logger.addHandler(handler);
        try {
            // What cannot be meant ends it before it begins.
            List<String> words = new ArrayList<>(List.of(flags.split(" ")));
            words.addAll(List.of("--resque", "a,,b"));
            assertThat(run(NOWHERE, words.toArray(String[]::new))).isEqualTo(Main.WRONG_USE);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines).singleElement().asString().contains(message);
        assertLine("--resque");
    }

    private static final class LineHandler extends Handler {
        private final List<String> lines;

        LineHandler(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void publish(LogRecord event) {
            lines.add(event.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void anAppThatIsNeitherFileNorDirectoryIsOneLine() throws Exception {
        Path pipe = folder.resolve("pipe.rb");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Path loop = folder.resolve("loop.rb");
        Files.createSymbolicLink(loop, loop);

        assertThat(run(NOWHERE, "-r", pipe.toString())).isEqualTo(Main.FAILED);
        assertLine("cannot load " + pipe + ": it is no file and no directory");
        err.getBuffer().setLength(0);
        assertThat(run(NOWHERE, "-r", loop.toString())).isEqualTo(Main.FAILED);
        assertLine("there is no file or directory " + loop);
    }
}
