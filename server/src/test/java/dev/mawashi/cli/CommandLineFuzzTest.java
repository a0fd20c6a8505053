package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Fuzz;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever the words are: an exit code of ours, and on stderr lines for people.
class CommandLineFuzzTest {
    /// Nothing listens there.
    private static final Map<String, String> ENVIRONMENT =
            Map.of("HOME", "/nonexistent", "REDIS_URL", "redis://127.0.0.1:1/0");

    /// Those that start nothing.
    private static final String[] COMMANDS = {
        "push",
        "stats",
        "queues",
        "retries",
        "scheduled",
        "dead",
        "failed",
        "processes",
        "busy",
        "cancel",
        "audit",
        "undo",
        "version",
        "--help",
        "--version",
        "-h",
        "nope",
        "",
    };

    private static final String[] WORDS = {
        "jobs",
        "delete",
        "clear",
        "pause",
        "retry",
        "bury",
        "kill",
        "requeue",
        "move",
        "--to",
        "remove",
        "quiet",
        "stop",
        "dump",
        "--no-wait",
        "reschedule",
        "--json",
        "--limit",
        "--all",
        "--yes",
        "--class",
        "--queue",
        "--error",
        "--text",
        "--jid",
        "--in",
        "--at",
        "--ack",
        "disk",
        "replicas:1",
        "--timeout",
        "--bulk",
        "--retry",
        "--tag",
        "/no/such/file",
        "/",
        "--redis",
        "redis://",
        "redis://h:99999",
        "http://x",
        "-1",
        "0",
        "1e99",
        "NaN",
        "9999999999999999999",
        "90s",
        "--",
        "-",
        "=",
        "--json=x",
        "@/etc/passwd",
        "-q",
        "a,b",
        "\u0000",
        "\ud800",
        "{",
        "[1",
        "\"x\"",
        "*",
        "--resque-namespace",
        "${env:HOME}",
    };

    @Test
    void anyWordsEndInAnExitCodeAndALine() {
        Fuzz.run("command line", CommandLineFuzzTest::call);
    }

    private static void call(Random random) {
        List<String> words = new ArrayList<>();
        words.add(COMMANDS[random.nextInt(COMMANDS.length)]);
        for (int more = random.nextInt(5); more > 0; more--) {
            words.add(WORDS[random.nextInt(WORDS.length)]);
        }
        assertEndsWell(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "--class", "--redis=redis://", "\ufffd", "--json="})
    void aVeryLongWordIsAnsweredToo(String start) {
        assertEndsWell(List.of("retries", start + "x".repeat(100_000)));
        assertEndsWell(List.of(start + "x".repeat(100_000)));
    }

    private static void assertEndsWell(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(words, ENVIRONMENT, new PrintWriter(out), new PrintWriter(err));
        assertThat(code).as("%s: %s", words, err).isBetween(0, 2);
        assertThat(err.toString())
                .as("%s", words)
                .doesNotContain("this is a defect", "\tat ", "Exception");
    }
}
