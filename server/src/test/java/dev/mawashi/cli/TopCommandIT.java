package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// `mawashi top` as it is called, on a real Redis.
final class TopCommandIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    /// Says how the terminal is before and after, each with its own name.
    private static final String SHELL =
            "echo before $(stty -g); %s; echo code $?; echo after $(stty -g)";

    private final RedisConnection redis = RIG.redis();

    private void fill() {
        redis.call("SET", "stat:processed", "1234");
        redis.call("SADD", "queues", "low", "odd\u001b[2J");
        redis.call("LPUSH", "queue:low", "{\"class\":\"A\",\"jid\":\"j0\",\"args\":[]}");
        redis.call("SADD", "processes", "web-1:1:aa");
        redis.call("HSET", "web-1:1:aa", "busy", "1", "rss", "2048", "concurrency", "5");
        redis.call("HSET", "web-1:1:aa", "info", "{\"tag\":\"app\",\"queues\":[\"low\"]}");
        redis.call(
                "HSET",
                "web-1:1:aa:work",
                "t1",
                "{\"queue\":\"low\",\"payload\":\"{\\\"class\\\":\\\"Re\\\\u001bport\\\","
                        + "\\\"jid\\\":\\\"j1\\\",\\\"args\\\":[1]}\",\"run_at\":1795225700}");
    }

    @Test
    void whatIsNoTerminalGetsOneFrameWithoutEscapes() {
        fill();
        for (List<String> words : List.of(List.of("top"), List.of("top", "--once"))) {
            assertThat(RIG.run(words.toArray(String[]::new))).isEqualTo(Main.DONE);
            assertThat(RIG.out().toString())
                    .contains("1,234", "odd?[2J", "not served", "1 of 5", "2 MiB", "Re?port")
                    .doesNotContain("\u001b");
        }
    }

    @Test
    void jsonIsOneObjectOnALine() {
        fill();
        assertThat(RIG.run("top", "--once", "--json")).isEqualTo(Main.DONE);
        assertThat(RIG.out().toString())
                .hasLineCount(1)
                .contains("\"processed\":1234,\"processed_per_s\":null", "\"name\":\"low\"")
                .contains("\"identity\":\"web-1:1:aa\"", "\"jid\":\"j1\"")
                .doesNotContain("\u001b");
    }

    @Test
    void anIntervalOutOfRangeIsWrongUse() {
        assertThat(RIG.run("top", "--interval", "0")).isEqualTo(Main.WRONG_USE);
    }

    @Test
    void theKeyQEndsItAndLeavesTheTerminalAsItWas() throws Exception {
        fill();
        String said = inTerminal(RIG.url(), "");
        assertThat(said).contains("\u001b[?1049h", "web-1:1:aa", "\u001b[?1049l", "code 0");
        assertTerminalIsAsItWas(said);
    }

    @Test
    void withoutRedisItGoesOnAndInterruptedItLeavesTheTerminalAsItWas() throws Exception {
        String said = inTerminal("redis://127.0.0.1:1/0", "\u0003");
        assertThat(said).contains("trying again", "\u001b[?1049l", "code 130");
        assertTerminalIsAsItWas(said);
    }

    private static void assertTerminalIsAsItWas(String said) {
        assertThat(word(said, "after ")).isNotEmpty().isEqualTo(word(said, "before "));
    }

    private static String word(String said, String before) {
        int at = said.lastIndexOf(before) + before.length();
        return said.substring(at).lines().findFirst().orElse("").strip();
    }

    /// Runs it in a pseudo-terminal.
    ///
    /// @param key pressed once the first frame is there; q if it is empty
    /// @return all that was written to the terminal
    private static String inTerminal(String url, String key) throws Exception {
        String java =
                "'%s' -cp '%s' dev.mawashi.cli.Main top --redis %s"
                        .formatted(
                                ProcessHandle.current().info().command().orElseThrow(),
                                System.getProperty("java.class.path"),
                                url);
        String trapped = "trap : INT; " + SHELL.formatted(java);
        Process script =
                new ProcessBuilder("script", "-qc", trapped, "/dev/null")
                        .redirectErrorStream(true)
                        .start();
        StringBuilder said = new StringBuilder();
        boolean isPressed = false;
        for (int next = script.getInputStream().read(); next >= 0; ) {
            said.append((char) next);
            if (!isPressed && said.indexOf("\u001b[J") >= 0) {
                press(script, key.isEmpty() ? "q" : key);
                isPressed = true;
            }
            next = script.getInputStream().read();
        }
        script.waitFor();
        return said.toString();
    }

    private static void press(Process script, String key) throws IOException {
        script.getOutputStream().write(key.getBytes(StandardCharsets.US_ASCII));
        script.getOutputStream().flush();
    }
}
