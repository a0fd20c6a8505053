package dev.mawashi.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Unpacks the tarballs that this build has made, and uses them as a stranger would.
final class TarballIT {
    private static final Path RELEASE = Path.of(System.getProperty("mawashi.release"));
    private static final String NAME = "mawashi-" + System.getProperty("mawashi.version");
    private static final String NAME_WITH_JAVA = NAME + "-with-java";
    private static final long MINUTES_MAX = 3;

    @TempDir private static Path folder;

    private static Path home;
    private static Path homeWithJava;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void unpack() throws Exception {
        // People's folders have spaces.
        Path place = Files.createDirectory(folder.resolve("a place"));
        home = unpack(place, NAME);
        homeWithJava = unpack(place, NAME_WITH_JAVA);
    }

    private static Path unpack(Path place, String name) throws Exception {
        assertThat(run(place, "tar", "-xzf", tarball(name)).code()).isZero();
        return place.resolve(name);
    }

    private static String tarball(String name) {
        return RELEASE.resolve(name + ".tar.gz").toString();
    }

    private static Ended run(Path in, String... words) throws Exception {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .directory(in.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().remove("MAWASHI_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return new Ended(
                process.waitFor(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-with-java"})
    void allOfItLiesInOneFolderThatBearsTheVersion(String kind) throws Exception {
        String folderName = NAME + kind + "/";
        List<String> names =
                run(folder, "tar", "-tzf", tarball(NAME + kind)).out().lines().toList();
        assertThat(names).allMatch(name -> name.startsWith(folderName)).doesNotHaveDuplicates();
        assertThat(names.stream().map(name -> name.substring(folderName.length())))
                .contains(
                        "mawashi",
                        "LICENSE",
                        "NOTICE",
                        "README.md",
                        "CHANGELOG.md",
                        "docs/guide/install.md",
                        "exe/mawashi",
                        "mawashi.gemspec",
                        "mawashi-sidekiq.gemspec",
                        "mawashi.schema.json",
                        "ruby/mawashi.rb",
                        "examples/hello/hello.rb");
    }

    /// Neither who built it nor when shows in it.
    @ParameterizedTest
    @ValueSource(strings = {"", "-with-java"})
    void itsEntriesHaveOneTimeAndOneOwner(String kind) throws Exception {
        Set<String> modes = new HashSet<>();
        Set<String> owners = new HashSet<>();
        Set<String> times = new HashSet<>();
        String[] list = {"tar", "--numeric-owner", "--full-time", "-tvzf", tarball(NAME + kind)};
        for (String line : run(folder, list).out().lines().toList()) {
            // Mode, owner, size, date, time, name.
            String[] columns = line.split("\\s+", 6);
            modes.add(columns[0]);
            owners.add(columns[1]);
            times.add(columns[3] + columns[4]);
        }
        // Links are in the licences of Java's modules.
        assertThat(modes).isSubsetOf("drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--", "lrw-r--r--");
        assertThat(owners).containsExactly("0/0");
        assertThat(times).hasSize(1);
    }

    /// Beside each other, two libraries of one kind would be a matter of luck.
    @Test
    void itHoldsEachLibraryOnceAndNoneOfTheTests() throws IOException {
        assertThat(libraries()).contains("mawashi-server").doesNotHaveDuplicates();
        assertThat(libraries()).noneMatch(name -> name.matches(".*(-tests|junit|assertj|bench).*"));
    }

    @Test
    void itsNoticeNamesTheLicenceOfEachLibrary() throws IOException {
        List<String> noticed = new ArrayList<>();
        for (String line : Files.readString(home.resolve("NOTICE"), UTF_8).lines().toList()) {
            // Component, licence, holder; nothing else has such a gap within the line.
            if (line.matches("[a-z0-9_-]+ +\\S.*  +\\S.*")) {
                noticed.add(line.split(" ", 2)[0]);
            }
        }
        assertThat(noticed).containsExactlyInAnyOrderElementsOf(others(libraries()));
    }

    /// There is one where the build had a network.
    @Test
    void itsBillOfMaterialsNamesEachLibrary() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            for (Path bill : files.filter(file -> file.toString().endsWith("sbom.json")).toList()) {
                String text = Files.readString(bill, UTF_8);
                assertThat(bill.getFileName()).hasToString(NAME + ".sbom.json");
                assertThat(libraries())
                        .allMatch(name -> text.contains("\"name\" : \"" + name + "\""));
                assertThat(text).doesNotContain("timestamp", "serialNumber");
            }
        }
    }

    /// The names of the jars, without their versions.
    private static List<String> libraries() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path jar : jars()) {
            // The one jar of native code beside another of the same name.
            if (!jar.toString().endsWith("-native.jar")) {
                String name = jar.getFileName().toString();
                names.add(name.replaceFirst("-[0-9][0-9a-z.-]*\\.jar$", ""));
            }
        }
        return names;
    }

    private static List<String> others(List<String> libraries) {
        return libraries.stream().filter(name -> !name.startsWith("mawashi-")).toList();
    }

    private static List<Path> jars() throws IOException {
        return Stream.concat(jars("lib").stream(), jars("mcp").stream()).toList();
    }

    private static List<Path> jars(String name) throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve(name))) {
            return jars.sorted().toList();
        }
    }

    /// Servers have no library that only agents need.
    @Test
    void whatAgentsNeedLiesApart() throws IOException {
        List<String> apart = jars("mcp").stream().map(jar -> "" + jar.getFileName()).toList();
        assertThat(apart).anyMatch(name -> name.startsWith("mawashi-mcp-"));
        assertThat(apart).anyMatch(name -> name.startsWith("mcp-core-"));
        assertThat(jars("lib").stream().map(jar -> "" + jar.getFileName()))
                .noneMatch(name -> name.matches("(mawashi-mcp|mcp|jackson|reactor|reactive).*"));
    }

    /// On the Java inside, which has only the modules that are listed.
    @Test
    void anAgentIsAnswered() throws Exception {
        Process redis =
                new ProcessBuilder("./mawashi", "redis", "--port", "0", "--dir", folder + "/agent")
                        .directory(homeWithJava.toFile())
                        .start();
        try (BufferedReader told = redis.inputReader(UTF_8)) {
            String url = told.readLine().replaceFirst("export ", "");
            Path asked = Files.createTempFile(folder, "asked", ".txt");
            Files.writeString(
                    asked,
                    """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":\
                    {"protocolVersion":"2025-06-18","capabilities":{},\
                    "clientInfo":{"name":"test","version":"1"}}}
                    {"jsonrpc":"2.0","method":"notifications/initialized"}
                    {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"show_stats"}}
                    """);
            Ended ended =
                    run(
                            homeWithJava,
                            "sh",
                            "-c",
                            "exec env \"$1\" ./mawashi mcp <\"$2\"",
                            "sh",
                            url,
                            asked.toString());
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{"));
            assertThat(ended.out()).contains("\\\"processed\\\":0");
        } finally {
            redis.destroy();
        }
    }

    /// What is only found by name is listed in the build's file beside it.
    @Test
    void theRuntimeInsideHasTheModulesThatTheLibrariesAskFor() throws IOException {
        List<String> words = new ArrayList<>(List.of("-s", "--multi-release", "25"));
        // A jar that is a module asks for others as modules.
        words.addAll(List.of("--module-path", home + "/lib:" + home + "/mcp"));
        words.addAll(List.of("--ignore-missing-deps"));
        words.addAll(List.of("-cp", home + "/lib/*:" + home + "/mcp/*"));
        jars().forEach(jar -> words.add(jar.toString()));
        StringWriter told = new StringWriter();
        PrintWriter writer = new PrintWriter(told);
        ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(writer, writer, words.toArray(String[]::new));
        List<String> asked =
                Pattern.compile("-> (java\\.\\S+|jdk\\.\\S+)")
                        .matcher(told.toString())
                        .results()
                        .map(found -> found.group(1))
                        // Jetty's AWTLeakPreventer asks for it, which only who calls it has.
                        .filter(module -> !module.equals("java.desktop"))
                        .distinct()
                        .toList();
        assertThat(asked).contains("java.base", "java.sql");
        String release = Files.readString(homeWithJava.resolve("java/release"), UTF_8);
        String modules = release.replaceFirst("(?s).*MODULES=\"([^\"]*)\".*", "$1");
        assertThat(modules.split(" ")).containsAll(asked);
    }

    /// Whatever Java the machine has: here the one that the tests run on.
    @Test
    void theOneWithJavaRunsOnTheRuntimeInside() throws Exception {
        String option = "MAWASHI_JAVA_OPTS=-XshowSettings:properties";
        Ended ended = run(homeWithJava, "env", option, "./mawashi", "version");
        assertThat(ended.err()).contains("java.home = " + homeWithJava.toRealPath() + "/java\n");
        assertThat(ended.code()).isZero();
    }

    @Test
    void theShippedRubyHasTheVersionOfItsJar() throws IOException {
        String ruby = Files.readString(Path.of("../ruby/src/main/ruby/mawashi/version.rb"), UTF_8);
        String version = ruby.replaceFirst("(?s).*VERSION = \"([^\"]*)\".*", "$1");
        assertThat(home.resolve("lib/mawashi-ruby-" + version + ".jar")).exists();
    }

    @Test
    void itTellsItsVersion() throws Exception {
        Ended ended = run(home, "./mawashi", "version");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .startsWith("Mawashi " + System.getProperty("mawashi.version") + "\n");
        assertThat(ended.code()).isZero();
    }

    /// It may belong to root, so nothing is to be written there.
    @Test
    void itRunsTheDemoAndLeavesItsFolderAsItIs() throws Exception {
        String before = listing();
        Ended ended = run(folder, home + "/mawashi", "demo");
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out())
                .contains("0 waiting, 0 scheduled, 0 to retry, 0 dead.")
                .contains("with  mawashi run -r FILE.rb");
        assertThat(listing()).isEqualTo(before);
    }

    private static String listing() throws Exception {
        return run(folder, "find", home.toString(), "-printf", "%p %s %T@\n").out();
    }

    @Test
    void theRubyInsideRunsAndSoDoesWhatItStarts() throws Exception {
        String calls = "system('ruby', '-S', 'rake', '--version'); exit 3";
        Ended ended = run(folder, home + "/mawashi", "jruby", "-e", calls);
        assertThat(ended.out()).startsWith("rake, version");
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isEqualTo(3);
    }

    /// Each command that Mawashi sends to Redis would be a trace of its own.
    @Test
    void anAgentOfOpenTelemetryTellsOfJobsAndNotOfRedis() throws Exception {
        Process redis =
                new ProcessBuilder("./mawashi", "redis", "--port", "0", "--dir", folder + "/redis")
                        .directory(homeWithJava.toFile())
                        .start();
        try (BufferedReader told = redis.inputReader(UTF_8)) {
            String url = told.readLine().replaceFirst("export ", "");
            String agent =
                    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                            .filter(jar -> jar.contains("opentelemetry-javaagent"))
                            .findFirst()
                            .orElseThrow();
            List<String> words = new ArrayList<>(List.of("env", url));
            words.add("MAWASHI_JAVA_OPTS=-javaagent:" + agent);
            words.addAll(List.of("OTEL_TRACES_EXPORTER=console", "OTEL_METRICS_EXPORTER=none"));
            words.addAll(List.of("OTEL_LOGS_EXPORTER=none", "./mawashi", "push", "ReportJob"));
            Ended push = run(homeWithJava, words.toArray(String[]::new));
            assertThat(push.code()).as(push.err()).isZero();
            assertThat(push.err().lines().filter(line -> line.contains("SpanExporter")))
                    .singleElement()
                    .asString()
                    .contains("'send ReportJob'");
        } finally {
            redis.destroy();
        }
    }

    @Test
    void whatNeedsACheckoutSaysSo() throws Exception {
        for (String command : List.of("bench", "package")) {
            Ended ended = run(home, "./mawashi", command);
            assertThat(ended.err().lines())
                    .singleElement()
                    .asString()
                    .contains(command + " runs only in a checkout of the sources");
            assertThat(ended.out()).isEmpty();
            assertThat(ended.code()).isNotZero();
        }
    }
}
