package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `mawashi run` used wrongly or in a broken place: an exit code, and a message that names the
/// thing and the remedy, without a stack trace of ours.
final class BadCommandIT {
    private static Workplace place;

    @BeforeAll
    static void startRedis(@TempDir Path folder) {
        place = new Workplace(folder, "--user", "bob", "on", ">right", "~*", "&*", "+@all");
    }

    @AfterAll
    static void stopRedis() {
        place.close();
    }

    /// Long: fourteen processes; `RunFlagsTest` has such flags in this one, and
    /// `aPasswordAmongTheArgumentsIsWarnedOf` a process that ends so.
    @Tag("long")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--concurency 3 | unknown flag --concurency: did you mean --concurrency?",
                "-c 0           | concurrency is 0, must be 1 to 100000",
                "-c -1          | concurrency is -1, must be 1 to 100000",
                "-c many        | is no whole number",
                "-c             | -c",
                "-t -1          | --timeout -1.0 is not a number of seconds",
                "-q a,b,c       | -q a,b,c is neither a name nor a name with its weight",
                "-q a,many      | -q a,many: the weight \"many\" is no whole number",
                "-q a -q a      | -q names the queue \"a\" twice: give it a weight instead",
                "-q a,-1        | -q: queue \"a\" has weight -1, must be 0 to 1000000",
                "--lease 0      | lease is 0.0 s, must be 1 s to 1 h",
                "--redis http://h | --redis: Redis URL must begin with redis://, rediss:// or unix://",
                "--redis redis:// | --redis: Redis URL has no host",
                "--redis redis://h:70000 | Redis URL: the port",
            })
    void wrongUseIsOneLineAndExitCodeTwo(String flags, String message) {
        List<String> words = new ArrayList<>(List.of("run", "-r", Workplace.APP));
        words.addAll(List.of(flags.split(" ")));
        Child command = place.mawashi(Workplace.NO_GEMS, words.toArray(String[]::new));

        assertThat(command.awaitExit()).as(command::log).isEqualTo(2);
        assertThat(command.logLines())
                .singleElement()
                .asString()
                .startsWith("mawashi: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "gem 'no-such-gem-at-all', ruby, 'runner mri, since there is a Gemfile'",
        "'', raise 'it failed', 'runner jruby, since no Gemfile'"
    })
    void anAppThatDoesNotLoadIsToldWithItsRunner(
            String gemfile, String program, String reason, @TempDir Path folder)
            throws IOException {
        Path app = Files.writeString(folder.resolve("app.rb"), program);
        if (!gemfile.isEmpty()) {
            Files.writeString(folder.resolve("Gemfile"), gemfile);
        }
        Child command = place.mawashi(Workplace.NO_GEMS, "run", "-r", app.toString());

        assertThat(command.awaitExit()).as(command::log).isEqualTo(1);
        assertThat(command.logLines().getLast()).startsWith("    " + reason);
    }

    @Test
    void aWrongPasswordIsOneLine() {
        String url = place.redisUrl().replace("redis://", "redis://bob:wrong@");

        assertThat(failureAt(url)).contains("Redis refuses us: WRONGPASS").doesNotContain("wrong@");
    }

    @Test
    void aPasswordThatIsMissingIsOneLine() {
        place.bytes("CONFIG", "SET", "requirepass", "secret");
        try {
            assertThat(failureAt(place.redisUrl()))
                    .isEqualTo(
                            "mawashi: Redis refuses us: NOAUTH it wants a password"
                                    + " (look at user, password and database of the Redis URL)");
        } finally {
            place.bytes("CONFIG", "SET", "requirepass", "");
        }
    }

    /// Long: `aWrongPasswordIsOneLine` is the quick one.
    @Tag("long")
    @Test
    void aDatabaseThatRedisDoesNotHaveIsOneLine() {
        assertThat(failureAt(place.redisUrl().replaceFirst("/0$", "/99")))
                .contains("Redis refuses us: ", "DB index is out of range");
    }

    private static String failureAt(String url) {
        Child command = place.mawashi(Map.of("REDIS_URL", url), "run", "-r", Workplace.APP);
        assertThat(command.awaitExit()).as(command::log).isOne();
        assertThat(command.logLines()).hasSize(1);
        return command.logLines().getFirst();
    }

    @Test
    void aMissingAppIsOneLine() {
        assertThat(bootFailure(Path.of("/no/such/app.rb")))
                .containsExactly(
                        "mawashi: cannot load /no/such/app.rb: there is no file or directory"
                                + " /no/such/app.rb (set it with -r)");
    }

    @Test
    void anAppThatRaisesIsNamedWithItsErrorAndPlace() {
        Path app = Path.of(Workplace.APP).resolveSibling("raises.rb");

        assertThat(bootFailure(app))
                .startsWith("mawashi: cannot load " + app + ": ArgumentError: no settings here")
                .anyMatch(line -> line.contains("raises.rb:4"));
        assertThat(bootFailure(app, "--runner", "mri"))
                .containsExactly(
                        "mawashi: cannot load " + app + ": ArgumentError: no settings here",
                        "    at " + app + ":4:in `<top (required)>'");
    }

    /// Long: a boot of JRuby more; `anAppThatRaisesIsNamedWithItsErrorAndPlace` is the quick one.
    @Tag("long")
    @Test
    void anAppThatIsNoRubyIsNamedWithTheLine(@TempDir Path folder) throws IOException {
        Path app = Files.writeString(folder.resolve("broken.rb"), "class A\n  def (\nend\n");

        assertThat(bootFailure(app))
                .first()
                .asString()
                .startsWith("mawashi: cannot load " + app + ": SyntaxError: ")
                .contains("broken.rb:3: syntax error");
    }

    @Test
    void aDiskThatIsFullWhenRubyIsUnpackedIsOneLine(@TempDir Path folder) throws Exception {
        Path app = Files.writeString(folder.resolve("app.rb"), "require 'openssl'\n");
        Child command =
                place.mawashiLimited(
                        "ulimit -f 64", "run", "-r", app.toString(), "--runner", "jruby");

        assertThat(command.awaitExit()).as(command::log).isOne();
        assertThat(command.logLines())
                .singleElement()
                .asString()
                .contains("(while it copied jars into ", ": make room, or set TMPDIR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/proc", "/no/such/folder", "/dev/null"})
    void aFolderThatCannotBeWrittenIsOneLine(String folder) {
        Child command = place.mawashiLimited("export TMPDIR=" + folder, "run", "-r", Workplace.APP);

        assertThat(command.awaitExit()).as(command::log).isOne();
        assertThat(command.logLines())
                .singleElement()
                .asString()
                .startsWith("mawashi: ")
                .contains(folder, "TMPDIR");
    }

    @Test
    void tooFewOpenFilesAreOneLine() throws Exception {
        Process launcher =
                new ProcessBuilder("bash", "-c", "ulimit -n 64; exec ../mawashi version")
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(launcher.getInputStream().readAllBytes(), UTF_8);

        assertThat(launcher.waitFor()).isOne();
        assertThat(printed)
                .startsWith("mawashi: only 64 open files are allowed (ulimit -n)")
                .hasLineCount(1);
    }

    @Test
    void aPasswordAmongTheArgumentsIsWarnedOf() {
        String url = place.redisUrl().replace("redis://", "redis://bob:right@");
        // What cannot be meant ends it before it begins.
        String[] flags = {"run", "-r", Workplace.APP, "--redis", url, "--resque", "a,,b"};
        Child server = place.mawashi(Workplace.NO_GEMS, flags);

        assertThat(server.awaitExit()).as(server::log).isEqualTo(2);
        assertThat(server.log()).contains("put the URL into REDIS_URL").doesNotContain("right");
    }

    private static List<String> bootFailure(Path app, String... more) {
        List<String> words = new ArrayList<>(List.of("run", "-r", app.toString()));
        words.addAll(List.of(more));
        Child command = place.mawashi(Workplace.NO_GEMS, words.toArray(String[]::new));
        assertThat(command.awaitExit()).as(command::log).isOne();
        assertThat(command.log()).doesNotContain("\tat ", "dev.mawashi", "org.jruby");
        return command.logLines();
    }

    @Test
    void withoutRedisItWaitsAndSaysSoAndThenWorks() {
        try (RedisServerForTests late = new RedisServerForTests()) {
            late.kill();
            Child server =
                    place.mawashi(
                            Map.of("REDIS_URL", late.url()),
                            "run",
                            "-r",
                            Workplace.APP,
                            "--runner",
                            "mri",
                            "--processes",
                            "1");
            server.awaitLog("waiting for Redis: cannot reach " + late.url());
            assertThat(server.logLines()).allMatch(line -> line.contains("waiting for Redis: "));
            late.crashAndStart();
            server.awaitLog("Redis answers again").awaitLog("working on");
            assertThat(server.log()).doesNotContain("\tat ", "Exception");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// Long: `StopIT` has the same.
    @Tag("long")
    @Test
    void withoutRedisItCanBeStopped() {
        try (RedisServerForTests gone = new RedisServerForTests()) {
            gone.kill();
            Child server =
                    place.mawashi(
                            Map.of("REDIS_URL", gone.url()),
                            "run",
                            "-r",
                            Workplace.APP,
                            "--processes",
                            "1");
            server.awaitLog("waiting for Redis");
            server.signal("TERM");

            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }
}
