package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./mawashi` starts: the script itself, in a folder of its own, with programs in place of
/// Java and Maven that print the words they are given.
final class LauncherTest {
    private static final String PRINT = "#!/bin/sh\nprintf '%s\\n' \"$@\"\n";

    /// Appends its words to a file, and makes the cache that they name.
    private static final String RECORD =
            """
            #!/bin/sh
            printf '%%s\\n' "$@" >>'%s'
            for word in "$@"; do
                case $word in -XX:AOTCacheOutput=*) echo made >"${word#*=}" ;; esac
            done
            """;

    private static final String SMALL = "-XX:+UseSerialGC";
    private static final String LARGE = "-XX:+UseParallelGC";

    @TempDir private Path folder;
    private Path home = Path.of("");

    private record Ended(int code, List<String> lines) {}

    @BeforeEach
    void layOut() throws IOException {
        home = Files.createDirectory(folder.resolve("a home"));
        Path launcher = Path.of("../mawashi");
        Files.copy(launcher, home.resolve("mawashi"), StandardCopyOption.COPY_ATTRIBUTES);
        Path scripts = Files.createDirectory(home.resolve("bin"));
        try (Stream<Path> files = Files.list(Path.of("../bin"))) {
            for (Path file : files.toList()) {
                Files.copy(file, scripts.resolve(file.getFileName()));
            }
        }
        program("java/bin/java", PRINT);
        program("java/bin/javac", PRINT);
        Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"25\"\n");
        Files.createDirectory(home.resolve("lib"));
        Files.createFile(home.resolve("lib/mawashi-server-1.jar"));
    }

    private void program(String name, String script) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Ended launch(Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(home.resolve("mawashi").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("LOGS_DIRECTORY", "MAWASHI_JAVA_OPTS"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), output.lines().toList());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.sorted().toList();
        }
    }

    /// So it sees the heap that a server would get.
    @Test
    void configRunsOnTheJvmOfAServerAndKnowsWhyItIsAsItIs() throws Exception {
        List<String> server = flags("run");
        List<String> config = flags("config");
        List<String> reasons = new ArrayList<>(config);
        reasons.removeAll(server);

        assertThat(config).containsAll(server).contains("-Xss16m", "-XX:MaxNewSize=48m");
        assertThat(reasons.getFirst()).startsWith("-Dmawashi.jvm.reasons=-Xss16m: jobs on JRuby");
        assertThat(reasons)
                .anyMatch(line -> line.startsWith("-XX:+UseParallelGC: "))
                .anyMatch(line -> line.startsWith("-XX:MaxNewSize=48m: "))
                .anyMatch(line -> line.startsWith("-XX:ReservedCodeCacheSize=256m: "));
    }

    /// Up to the class path.
    private List<String> flags(String... words) throws Exception {
        List<String> lines = launch(Map.of(), words).lines();
        return lines.subList(0, lines.indexOf("-cp"));
    }

    /// Its memory is for the Ruby processes.
    @Test
    void aServerWhoseJobsAllRunInRubyProcessesGetsASmallJvm() throws Exception {
        for (String runner : List.of("mri", "fork")) {
            assertThat(flags("run", "--runner", runner)).contains(SMALL).doesNotContain(LARGE);
            assertThat(flags("config", "--json", "--runner=" + runner)).contains(SMALL);
        }
        assertThat(flags("run", "--processes", "2")).contains(SMALL);
        for (String runner : List.of("jruby", "java")) {
            assertThat(flags("run", "--runner", runner)).contains(LARGE).doesNotContain(SMALL);
        }
    }

    @Test
    void itsJvmFollowsTheAppsFilesToo() throws Exception {
        Path app = Files.createDirectory(folder.resolve("an app"));
        String[] run = {"run", "-r", app.toString()};
        program("ruby/ruby", PRINT);
        Map<String, String> path =
                Map.of("PATH", home.resolve("ruby") + ":" + System.getenv("PATH"));
        assertThat(flags(run)).contains(LARGE);

        Files.createFile(app.resolve("Gemfile"));
        assertThat(launch(path, run).lines()).contains(SMALL);

        Path file = Files.createDirectory(app.resolve("config")).resolve("mawashi.yml");
        Files.writeString(file, "queues:\n  sums: {runner: jruby}\n");
        assertThat(launch(path, run).lines()).contains(LARGE);
        Files.writeString(file, "runner: 'fork'\njava_classpath_of_mine: no key\n");
        assertThat(flags(run)).contains(SMALL);
        assertThat(flags("run", "-C", app + "/config/sidekiq.yml")).contains(SMALL);
        assertThat(flags("run", "-r", app.toString(), "--runner", "jruby")).contains(LARGE);
    }

    @Test
    void jrubyRunsOnTheJvmOfAServerWithItsWordsUntouched() throws Exception {
        List<String> server = flags("run");

        List<String> lines =
                launch(Map.of("JRUBY_OPTS", "-W0 -J-Xmx1g"), "jruby", "-J-Xms1g", "-S", "a b", "-J")
                        .lines();

        assertThat(lines).containsAll(server).contains("-Xmx1g", "-Xms1g");
        assertThat(lines.subList(lines.indexOf("org.jruby.Main") + 2, lines.size()))
                .containsExactly("-W0", "-S", "a b", "-J");
    }

    @Test
    void intEndsAServerThatAScriptHasStartedInTheBackground() throws Exception {
        program("java/bin/java", "#!/bin/sh\ngrep SigIgn /proc/self/status\n");
        String ignoring = "trap '' INT; exec \"$0\" run";
        Process process = new ProcessBuilder("sh", "-c", ignoring, home + "/mawashi").start();
        String ignored = new String(process.getInputStream().readAllBytes(), UTF_8).strip();

        assertThat(process.waitFor()).isZero();
        long mask = Long.parseLong(ignored.replaceAll(".*\\s", ""), 16);
        assertThat(mask & 1 << 2 - 1).as(ignored).isZero();
    }

    /// What a start recorded would be in the way of its stop, and a bad one's in that of the next.
    @Test
    void aServersStartRecordsNothingForLaterOnes() throws Exception {
        List<Path> before = files();
        Ended run = launch(Map.of(), "run", "-r", "an app.rb");

        assertThat(run.lines()).endsWith("dev.mawashi.cli.Main", "run", "-r", "an app.rb");
        assertThat(run.lines()).noneMatch(word -> word.matches("-XX:.*(AOT|Archive).*"));
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aServerOfSystemdsLeavesTheReportOfItsCrashWithItsLogs() throws Exception {
        String own = "-XX:ErrorFile=own.log";
        Map<String, String> unit =
                Map.of("LOGS_DIRECTORY", "/var/log/a b:/var/log/c", "MAWASHI_JAVA_OPTS", own);

        assertThat(launch(unit, "run").lines())
                .containsSubsequence(
                        "-XX:ErrorFile=/var/log/a b/hs_err_pid%p.log",
                        "-XX:HeapDumpPath=/var/log/a b", own)
                .doesNotContain("-XX:+HeapDumpOnOutOfMemoryError");
        assertThat(launch(Map.of(), "run").lines())
                .contains("-XX:+ExitOnOutOfMemoryError")
                .noneMatch(word -> word.contains("ErrorFile") || word.contains("HeapDump"));
    }

    @Test
    void whereTheLocaleKnowsAsciiAloneTheJvmGetsAnother() throws Exception {
        program("java/bin/java", "#!/bin/sh\necho \"${LC_ALL-none} ${LC_CTYPE-none}\"\n");
        Map<String, String> given = Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "");

        assertThat(launch(with(given, "LC_ALL", "C"), "run").lines())
                .containsExactly("C.UTF-8 C.UTF-8");
        assertThat(launch(with(given, "LANG", "POSIX"), "run").lines()).containsExactly(" C.UTF-8");
        assertThat(launch(with(given, "LANG", "no_WHERE.UTF-8"), "run").lines())
                .containsExactly(" C.UTF-8");
        assertThat(launch(with(given, "LC_ALL", "C.UTF-8"), "run").lines())
                .containsExactly("C.UTF-8 ");
    }

    private static Map<String, String> with(Map<String, String> all, String name, String value) {
        Map<String, String> more = new HashMap<>(all);
        more.put(name, value);
        return more;
    }

    @Test
    void theFirstBuildCompilesNoTests() throws Exception {
        Files.writeString(home.resolve("pom.xml"), "  <version>1.2.3</version>\n");
        program("maven/mvn", PRINT + "exit 1\n");
        String path = home.resolve("maven") + ":" + System.getenv("PATH");

        Ended build = launch(Map.of("PATH", path), "version");

        assertThat(build.code()).isOne();
        assertThat(build.lines()).contains("-Dmaven.test.skip=true", "package");
        assertThat(build.lines().getLast()).startsWith("mawashi: the build failed");
    }

    /// The JVM does without a cache that was made with other jars, and reports nothing.
    @Test
    void theServersOfABenchmarkStartWithTheCachesThatItMakes() throws Exception {
        buildWith("server/target/mawashi-server-1.jar", "bench/target/mawashi-bench-1.jar");
        Path calls = folder.resolve("calls");
        program("java/bin/java", RECORD.formatted(calls));

        launch(Map.of(), "bench", "noop");
        List<String> bench = Files.readAllLines(calls);
        Files.delete(calls);
        launch(Map.of(), "run");
        List<String> run = Files.readAllLines(calls);

        String jars = run.get(run.indexOf("-cp") + 1);
        int rehearsal = bench.indexOf("dev.mawashi.cli.Rehearsal");
        assertThat(bench.get(rehearsal - 1)).isEqualTo(jars);
        assertThat(run).anyMatch(word -> word.startsWith("-XX:AOTCache="));
        assertThat(bench.subList(bench.size() - 3, bench.size()))
                .containsExactly(
                        jars + ":" + home + "/bench/target/mawashi-bench-1.jar",
                        "dev.mawashi.bench.command.Main",
                        "noop");
    }

    /// It cannot write beside the jars. A file stands in the way, since root may write anywhere.
    @Test
    void aCheckoutOfAnotherUserMakesItsCacheOnce() throws Exception {
        buildWith("server/target/mawashi-server-1.jar");
        Files.writeString(home.resolve(".mawashi"), "");
        Path calls = folder.resolve("calls");
        program("java/bin/java", RECORD.formatted(calls));

        launch(Map.of(), "stats");
        assertThat(Files.readAllLines(calls)).contains("dev.mawashi.cli.Rehearsal", "stats");
        Files.delete(calls);
        launch(Map.of(), "stats");

        assertThat(Files.readAllLines(calls))
                .doesNotContain("dev.mawashi.cli.Rehearsal")
                .anyMatch(word -> word.startsWith("-XX:AOTCache=" + folder.resolve("cache")));
    }

    /// A checkout that has been built.
    private void buildWith(String... jars) throws IOException {
        Files.writeString(home.resolve("pom.xml"), "  <version>1</version>\n");
        for (String jar : jars) {
            Files.createDirectories(home.resolve(jar).getParent());
            Files.createFile(home.resolve(jar));
        }
        Files.createFile(home.resolve("server/target/mawashi.built"));
    }
}
