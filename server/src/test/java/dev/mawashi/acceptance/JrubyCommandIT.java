package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi jruby`: the launcher's own script, in a folder as a release has it, and a small app
/// with a Gemfile, a Rakefile and a test. There is no Redis.
final class JrubyCommandIT {
    private static final Path APP = Programs.SCRIPTS.resolve("tested");

    @TempDir private static Path folder;

    private static Path home;

    @TempDir private Path user;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void layOut() throws IOException {
        // People's folders have spaces.
        home = Files.createDirectory(folder.resolve("a home"));
        copy(Path.of("../mawashi"), home.resolve("mawashi"));
        copy(Path.of("../bin"), home.resolve("bin"));
        Path lib = Files.createDirectory(home.resolve("lib"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        String entries =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" "));
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, entries);
        Path jar = lib.resolve("mawashi-server-1.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Ended jruby(Map<String, String> environment, String... words) throws Exception {
        return jruby("", environment, words);
    }

    private Ended jruby(String input, Map<String, String> environment, String... words)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(home + "/mawashi", "jruby"));
        command.addAll(List.of(words));
        Path app = user.resolve("app");
        if (!Files.exists(app)) {
            copy(APP, app);
        }
        Path in = Files.writeString(user.resolve("in"), input);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(app.toFile())
                        .redirectInput(in.toFile())
                        .redirectError(user.resolve("err").toFile());
        builder.environment().keySet().removeAll(Programs.HIDDEN);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HOME", user.toString());
        builder.environment().put("MAWASHI_JAVA_OPTS", "-Xmx512m -XX:TieredStopAtLevel=1");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(user.resolve("err"), UTF_8));
    }

    @Test
    void wordsInputAndExitStatusPassThrough() throws Exception {
        String print = "p ARGV, $stdin.read, RUBY_ENGINE; warn 'err'; exit 3";

        Ended ended = jruby("in\n", Map.of(), "-e", print, "--", "a  b", "-J-Xmx1g", "*", "");

        assertThat(ended)
                .isEqualTo(
                        new Ended(
                                3,
                                "[\"a  b\", \"-J-Xmx1g\", \"*\", \"\"]\n\"in\\n\"\n\"jruby\"\n",
                                "err\n"));
    }

    @Test
    void wordsForTheJvmAndThoseOfJrubyOptsAreObeyed() throws Exception {
        String heap = "p $VERBOSE, java.lang.Runtime.runtime.max_memory >> 20 < 100";

        Ended ended =
                jruby(
                        Map.of("JRUBY_OPTS", "-W0 -J-Dof.opts=1", "MAWASHI_JAVA_OPTS", ""),
                        "-J-Xmx64m",
                        "-e",
                        heap + ", ENV_JAVA['of.opts']");

        assertThat(ended).isEqualTo(new Ended(0, "nil\ntrue\n\"1\"\n", ""));
    }

    /// A bundle of what JRuby has inside; Rake runs the tests in a Ruby of their own.
    @Test
    @Tag("long")
    void anAppsTestsRunByBundlerAndRakeOnThisRuby() throws Exception {
        Ended installed = jruby(Map.of(), "-S", "bundle", "install", "--local");
        assertThat(installed.code()).as(installed.out() + installed.err()).isZero();

        Ended passed = jruby(Map.of(), "-S", "bundle", "exec", "rake", "test");

        assertThat(passed.code()).as(passed.out() + passed.err()).isZero();
        assertThat(passed.out()).contains("on jruby", "1 runs, 1 assertions, 0 failures, 0 errors");
        Ended failed = jruby(Map.of("FAIL", "1"), "-S", "rake", "test");
        assertThat(failed.code()).isOne();
        assertThat(failed.out()).contains("1 runs, 1 assertions, 1 failures, 0 errors");
    }

    @Test
    @Tag("long")
    void aProgramThatCallsRubyGetsThisOne() throws Exception {
        String calls =
                """
                system("ruby", "-e", "puts RUBY_ENGINE, ARGV", "a b")
                system(RbConfig.ruby, "-e", "puts RUBY_ENGINE")
                system("#{Gem.ruby} -e 'puts RUBY_ENGINE'")
                p system("gem --version", out: File::NULL), ENV["RUBY"]
                """;

        Ended ended = jruby(Map.of("JRUBY_OPTS", ""), "-e", calls);

        assertThat(ended).isEqualTo(new Ended(0, "jruby\na b\njruby\njruby\ntrue\nnil\n", ""));
    }

    @Test
    @Tag("long")
    void gemsGoToTheUsersFolderWhereAServerFindsThem() throws Exception {
        assertThat(jruby(Map.of(), "-S", "gem", "build", "tested.gemspec").code()).isZero();

        Ended ended = jruby(Map.of(), "-S", "gem", "install", "--local", "tested-1.0.gem");

        assertThat(ended.out())
                .contains("Defaulting to user installation", "Successfully installed tested-1.0");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("/bin in your PATH");
        Path program;
        try (Stream<Path> files = Files.walk(user.resolve(".local/share/gem/jruby"))) {
            program = files.filter(file -> file.endsWith("bin/tested")).findFirst().orElseThrow();
        }
        assertThat(jruby(Map.of(), "-rtested", "-e", "puts Tested::NAME").out())
                .isEqualTo("tested\n");
        String path = program.getParent() + ":" + System.getenv("PATH");
        assertThat(jruby(Map.of("PATH", path), "-S", "tested", "word"))
                .isEqualTo(new Ended(0, "tested word\n", ""));
    }

    /// Long: a start of JRuby, as for any word.
    @Tag("long")
    @Test
    void irbReadsStdin() throws Exception {
        Ended ended = jruby("6 * 7\n", Map.of(), "-S", "irb", "-f");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("42");
    }

    /// Long: a start of JRuby, as for any word.
    @Tag("long")
    @Test
    void anUnknownScriptIsJrubysToReport() throws Exception {
        Ended script = jruby(Map.of(), "nowhere.rb");
        assertThat(script.err()).contains("nowhere.rb (No such file or directory)");
        assertThat(script.code()).isOne();
        Ended program = jruby(Map.of(), "-S", "nowhere");
        assertThat(program.err()).contains("No such file or directory -- nowhere");
        assertThat(program.code()).isOne();
    }

    /// Long: two starts of JRuby.
    @Tag("long")
    @Test
    void signalsReachIt() throws Exception {
        String waits = "Process.kill(%s, $$); sleep";
        assertThat(jruby(Map.of(), "-e", waits.formatted(":TERM")).code()).isEqualTo(128 + 15);
        Ended trapped = jruby(Map.of(), "-e", "trap(:INT) { exit 7 };" + waits.formatted(":INT"));
        assertThat(trapped.code()).isEqualTo(7);
    }
}
