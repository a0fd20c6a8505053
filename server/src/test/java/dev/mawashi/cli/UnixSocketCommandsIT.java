package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands whose Redis is at a Unix socket, or is not.
final class UnixSocketCommandsIT {
    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path socket;
    private String url;
    private RedisServerForTests server;

    @BeforeEach
    void start() {
        socket = folder.resolve("s");
        url = "unix://me:p%40ss@" + socket + "?db=1";
        server =
                new RedisServerForTests(
                        "--unixsocket",
                        socket.toString(),
                        "--user",
                        "me",
                        "on",
                        ">p@ss",
                        "~*",
                        "&*",
                        "+@all");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// @return the exit code
    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(
                List.of(arguments),
                Map.of("REDIS_URL", url),
                new PrintWriter(out, true),
                new PrintWriter(err, true));
    }

    @Test
    void theyFindTheirDatabase() throws Exception {
        Path app = Files.createFile(folder.resolve("app.rb"));

        assertThat(run("push", "A", "1")).as(err::toString).isZero();
        assertThat(run("stats", "--json")).isZero();
        assertThat(out.toString()).contains("\"enqueued\":1");
        assertThat(run("stats", "--json", "--redis", "unix://me:p%40ss@" + socket)).isZero();
        assertThat(out.toString()).contains("\"enqueued\":0");
        assertThat(run("config", "-r", "" + app)).as(err::toString).isZero();
        assertThat(out.toString())
                .containsPattern("redis +unix://" + socket + "\\?db=1 +REDIS_URL")
                .doesNotContain("p@ss", "p%40ss");
        run("doctor", "-r", "" + app);
        assertThat(out.toString()).containsPattern("redis +ok").doesNotContain("p%40ss");
    }

    @Test
    void whatIsWrongIsOneLine() throws Exception {
        Path plain = Files.createFile(folder.resolve("plain"));

        assertThat(run("stats", "--redis", "unix://" + plain)).isEqualTo(1);
        assertOneLine("mawashi: cannot reach unix://" + plain + "?db=0: this file is no socket");
        assertThat(run("stats", "--redis", "unix://" + folder.resolve("none"))).isEqualTo(1);
        assertOneLine("there is no such file: start Redis with unixsocket " + folder);
        assertThat(run("stats", "--redis", "unix://" + socket + "?db=99")).isEqualTo(1);
        assertOneLine("DB index is out of range");
        assertThat(run("stats", "--redis", "unix://" + socket + "?db=x")).isEqualTo(2);
        assertOneLine("--redis: Redis URL: the database is not a number");
        assertThat(run("stats", "--redis", "unix:///" + "x".repeat(200))).isEqualTo(2);
        assertOneLine("at most 106 bytes: make a link");
    }

    private void assertOneLine(String said) {
        assertThat(err.toString()).contains(said);
        assertThat(err.toString().lines()).hasSize(1);
    }
}
