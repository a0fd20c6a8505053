package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi run --runner java`: job classes in Java, compiled here, in a real process.
final class JavaIT {
    private static final Path EXAMPLE = Path.of("../examples/java/src");
    private static final Path JOBS = Path.of("src/test/jobs");

    @TempDir private static Path compiled;
    private static Path classes;
    private static Path lib;

    @TempDir Path folder;

    @BeforeAll
    static void compile() throws IOException {
        classes = Files.createDirectory(compiled.resolve("classes"));
        lib = Files.createDirectory(compiled.resolve("lib"));
        compile(EXAMPLE, classes);
        Path jobs = Files.createDirectory(compiled.resolve("jobs"));
        compile(JOBS, jobs);
        pack(jobs, lib.resolve("jobs.jar"));
    }

    static void compile(Path sources, Path target) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-d"));
        arguments.add(target.toString());
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .forEach(arguments::add);
        }
        var output = new java.io.ByteArrayOutputStream();
        int code =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, output, output, arguments.toArray(String[]::new));
        assertThat(code).as(() -> output.toString(UTF_8)).isZero();
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
    }

    private Child run(Workplace place, String... flags) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("run", "--runner", "java", "--lease", "2", "--sweep", "0.5"));
        arguments.addAll(List.of("--java-classpath", classes + ":" + lib + "/*"));
        arguments.addAll(List.of(flags));
        return place.mawashi(Map.of(), arguments.toArray(String[]::new));
    }

    @Test
    void theExampleRunsAndWhatCannotRunFailsWithItsReason() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "-t", "0.5", "-c", "3");
            place.pushJobs(1, "greeting", "com.example.Greeting", "[\"Ada\",\"Grace\"]");
            String order = "[7,[{\"name\":\"pen\",\"count\":3,\"price\":1.20}]]";
            place.pushJobs(1, "invoice", "com.example.Invoice", order);
            place.pushJobs(1, "large", "com.example.Invoice", "[3000000000,[]]");
            place.pushJobs(
                    1, "none", "com.example.Invoice", "[1,[{\"name\":\"pen\",\"count\":0}]]");
            place.pushJobs(1, "ruby", "Reports::Daily", "[]");
            place.pushJobs(1, "missing", "com.example.Nowhere", "[]");
            place.pushJobs(1, "ours", "dev.mawashi.cli.Main", "[]");
            place.pushJobs(200, "plain", "acceptance.Plain", "[1,2]");
            place.await("all plain ones ran", () -> place.ledger().byJid("end").size() == 200);
            place.await("the others failed", () -> place.number("ZCARD", "retry") == 5);

            server.awaitLog("Hello, Ada and Grace").awaitLog("Invoice 7: 3.60 (job invoice0)");
            server.awaitLog(
                    "default with 3 slots, runner java, java " + Runtime.version().feature(),
                    "job classes from " + classes,
                    "job failed: java.lang.IllegalArgumentException: pen: the count is 0"
                            + " class=com.example.Invoice jid=none0 queue=default"
                            + " at=com.example.Invoice$Item.<init>");
            assertFailed(
                    place,
                    "large0",
                    "\"error_message\":\"com.example.Invoice: argument 1 is 3000000000, must be an int:");
            assertFailed(place, "none0", "\"error_class\":\"java.lang.IllegalArgumentException\"");
            assertFailed(place, "ruby0", "\\\"Reports::Daily\\\" is no name of a Java class");
            assertFailed(
                    place, "missing0", "there is no class com.example.Nowhere on the class path");
            assertFailed(place, "ours0", "\"error_class\":\"java.lang.ClassNotFoundException\"");

            assertAStopEndsWhatRunsAndGivesItBack(place, server);
        }
    }

    /// Long: a server more; ReloadIT has the quick ones, for Ruby.
    @Tag("long")
    @Test
    void aReloadReachesQueuesAndLimits() throws IOException {
        Path config = Files.createDirectory(folder.resolve("config"));
        Path sidekiq = config.resolve("sidekiq.yml");
        Files.writeString(sidekiq, "queues: [default, low]\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "-C", sidekiq.toString(), "-c", "1");
            server.awaitLog("working on");
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            assertThat(reload(place, 0)).contains("nothing has changed");
            place.pushJobs(1, "held", "acceptance.Gate", "[\"never\"]");
            place.await("it runs", () -> place.ledger().byJid("start").size() == 1);

            Files.writeString(sidekiq, "queues: [low, <%= :default %>]\n");
            Files.writeString(config.resolve("mawashi.yml"), "time_limit: 0.5\n");
            assertThat(reload(place, 0))
                    .contains(": queues of capsule default: low, default\n")
                    .contains(": time_limit of capsule default: 0.5 s\n");
            place.await("it is ended", () -> place.number("ZCARD", "retry") == 1);

            Files.writeString(sidekiq, "queues: [<% raise 'not now' %>]\n");
            assertThat(reload(place, 1)).contains("not now");
            place.pushJobs(1, "plain", "acceptance.Plain", "[1,2]");
            place.await("it goes on", () -> place.ledger().byJid("end").size() == 1);
        }
    }

    private static String reload(Workplace place, int exit) {
        Child reload = place.mawashi(Map.of(), "reload");
        assertThat(reload.awaitExit()).as(reload::log).isEqualTo(exit);
        return reload.log();
    }

    private static void assertAStopEndsWhatRunsAndGivesItBack(Workplace place, Child server) {
        place.pushJobs(5, "held", "acceptance.Gate", "[\"never\"]");
        place.await("three run", () -> place.ledger().byJid("start").size() == 3);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.queued()).hasSize(5);
        assertThat(place.inHandsOf(server)).isEmpty();
        assertThat(place.ledger().lines("cut"))
                .hasSize(3)
                .allMatch(line -> line.rest().equals("true"));
    }

    /// Long: another server for what `HandoverIT` tries on JRuby.
    @Tag("long")
    @Test
    void aRestartLeavesRunningJobsToTheOldProcess() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "-c", "2");
            place.pushJobs(1, "held", "acceptance.Gate", "[\"gate\"]");
            place.await("it runs", () -> place.ledger().byJid("start").size() == 1);
            Releases.restart(place, 0);
            place.pushJobs(20, "plain", "acceptance.Plain", "[1,2]");
            place.await("all plain ones ran", () -> place.ledger().byJid("end").size() == 20);
            assertThat(place.ledger().lines("end")).noneMatch(line -> line.pid() == server.pid());

            place.open("gate");
            place.await("it ends", () -> place.ledger().byJid("end").size() == 21);
            assertThat(place.ledger().lines("end")).anyMatch(line -> line.pid() == server.pid());
            server.awaitLog("restart: generation 1 has ended");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(place.ledger().byJid("start").values()).containsOnly(1L);
        }
    }

    private static void assertFailed(Workplace place, String jid, String words) {
        List<String> entries =
                place.strings("ZRANGE", "retry", "0", "-1").stream()
                        .map(bytes -> new String(bytes, UTF_8))
                        .filter(entry -> entry.contains("\"" + jid + "\""))
                        .toList();
        assertThat(entries).singleElement().asString().contains(words, "\"retry_count\":0");
    }

    /// Long: two servers one after the other; RunnersIT has the kill.
    @Tag("long")
    @Test
    void jobsOfAKilledServerRunInOneThatHasAnAppInRubyToo() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            // Queues and slots from a config file, which may hold ERB.
            Path config =
                    Files.writeString(
                            folder.resolve("sidekiq.yml"),
                            ":concurrency: <%= 2 * 2 %>\nqueues: [[odd, 1], [default, 2]]\n");
            Child killed = run(place, "-C", config.toString());
            killed.awaitLog("odd,1, default,2 with 4 slots");
            place.pushJobs(20, "held", "acceptance.Gate", "[\"gate\"]");
            place.await("four run", () -> place.ledger().byJid("start").size() == 4);
            killed.kill();
            place.open("gate");
            Files.writeString(
                    folder.resolve("mawashi.yml"),
                    "runner: java\njava_classpath: %s/*\nqueues: { odd: { runner: jruby } }\n"
                            .formatted(lib));
            place.push("odd", List.of("{\"class\":\"PlainJob\",\"jid\":\"r\"}".getBytes(UTF_8)));
            Child mixed = place.run(Workplace.NO_GEMS, "-C", config.toString());
            place.await("all ran", () -> place.ledger().byJid("end").size() == 21);

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.ledger().count("start", "acceptance.Gate")).isEqualTo(24);
            mixed.awaitLog("(capsule default/odd, runner jruby)", "(capsule default, runner java)");
        }
    }

    @Test
    void aJobThatCallsSystemExitEndsTheServerAndLosesNothing() {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(3, "held", "acceptance.Gate", "[\"gate\"]");
            place.pushJobs(1, "exit", "acceptance.Exit", "[\"gate\"]");
            place.pushJobs(20, "plain", "acceptance.Plain", "[]");
            Child first = run(place, "-c", "4");
            assertThat(first.awaitExit()).as(first::log).isEqualTo(7);
            place.open("gate");
            run(place, "-c", "4");
            place.await("all ran", () -> place.ledger().byJid("end").size() == 24);

            assertThat(place.number("ZCARD", "dead")).isZero();
        }
    }

    @Test
    void flagsThatCannotBeFollowedAreOneLineEach() {
        try (Workplace place = new Workplace(folder)) {
            String gone = folder + "/gone.jar";
            assertRefused(
                    place.mawashi(Map.of(), "run", "--runner", "java"),
                    "mawashi: the runner java needs --java-classpath");
            assertRefused(
                    place.mawashi(Map.of(), "run", "--runner", "java", "--java-classpath", gone),
                    "mawashi: --java-classpath: there is no " + gone);
            assertRefused(
                    run(place, "-r", Workplace.APP),
                    "mawashi: -r names an app in Ruby, which --runner java does not load");
            assertRefused(
                    place.mawashi(Map.of(), "run", "--java-classpath", lib.toString()),
                    "mawashi: --java-classpath goes with --runner java");
        }
    }

    private static void assertRefused(Child server, String words) {
        assertThat(server.awaitExit()).as(server::log).isNotZero();
        assertThat(server.logLines()).singleElement().asString().startsWith(words);
    }
}
