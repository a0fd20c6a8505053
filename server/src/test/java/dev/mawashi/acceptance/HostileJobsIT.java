package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs that do what a job should not, in a real process of each runner: each comes to an end that
/// says what it did, and those beside and after it are not harmed.
final class HostileJobsIT {
    private static final Path SCRIPTS = Path.of("src/test/ruby/acceptance").toAbsolutePath();
    private static final Path APP = SCRIPTS.resolve("hostile.rb");
    private static final Path TABLE = SCRIPTS.resolve("hostile.txt");
    private static final int BESIDE = 3;

    private static final String OVER_TIME = "Mawashi::TimeLimitExceeded";

    @TempDir Path folder;

    /// A job and the ends that are right for it.
    ///
    /// @param name its jid; of a method of `HostileJob`, or of a job class
    /// @param args as JSON; "" for the method's name alone
    private record Case(String name, String args, Set<String> ends) {
        String payload() {
            boolean isMethod = Character.isLowerCase(name.charAt(0));
            String job =
                    job(
                            name,
                            isMethod ? "HostileJob" : name,
                            args.isEmpty() ? "[\"" + name + "\"]" : args);
            return ends.contains(OVER_TIME) ? job.replaceFirst("}$", ",\"time_limit\":1}") : job;
        }

        List<String> beside() {
            List<String> jids = new ArrayList<>();
            for (int i = 0; i < BESIDE; i++) {
                jids.add("beside-" + name + "-" + i);
            }
            return jids;
        }
    }

    private static String job(String jid, String jobClass, String args) {
        return "{\"class\":\"%s\",\"args\":%s,\"jid\":\"%s\",\"retry\":0,\"created_at\":1795225660717}"
                .formatted(jobClass, args, jid);
    }

    /// The lines of the table that say something of this runner.
    private static List<Case> cases(String runner) throws IOException {
        List<String[]> rows =
                Files.readAllLines(TABLE).stream()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split(" *\\| *", -1))
                        .toList();
        int column = Arrays.asList(rows.getFirst()).indexOf(runner);
        return rows.stream()
                .skip(1)
                .filter(row -> !row[column].equals("-"))
                .map(row -> new Case(row[0], row[1], Set.of(row[column].split(" or ", -1))))
                .toList();
    }

    private Child run(Workplace place, String runner, String flags) throws IOException {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":queues: [default]\n");
        Files.writeString(folder.resolve("mawashi.yml"), "memory_limit: 150\n");
        List<String> command =
                new ArrayList<>(List.of("run", "-r", APP.toString(), "--runner", runner));
        command.addAll(List.of("-C", config.toString()));
        command.addAll(List.of(flags.split(" ", -1)));
        command.addAll(List.of("--lease", "2", "--sweep", "0.5"));
        return place.mawashi(Workplace.NO_GEMS, command.toArray(String[]::new));
    }

    /// Error class or `ok` by jid.
    private static Map<String, String> ends(Workplace place) {
        Map<String, String> ends = new TreeMap<>();
        place.ledger().lines("end").forEach(line -> ends.put(line.subject(), "ok"));
        for (byte[] bytes : place.strings("ZRANGE", "dead", "0", "-1")) {
            Payload job = Payload.parse(bytes);
            ends.put(String.valueOf(job.text("jid")), String.valueOf(job.text("error_class")));
        }
        return ends;
    }

    /// Long: a tour of all that jobs may do, on each runner; ChildEndsIT and RubyFailuresTest have
    /// the worst of it.
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"jruby,-c 4", "mri,--processes 2 -c 1", "fork,-c 3"})
    void noneHarmsAnother(String runner, String flags) throws IOException {
        List<Case> cases = cases(runner);
        try (Workplace place = new Workplace(folder)) {
            List<byte[]> payloads = new ArrayList<>();
            Set<String> jids = new HashSet<>();
            for (Case one : cases) {
                payloads.add(one.payload().getBytes(UTF_8));
                jids.add(one.name());
                for (String jid : one.beside()) {
                    payloads.add(job(jid, "PlainJob", "[1]").getBytes(UTF_8));
                    jids.add(jid);
                }
            }
            place.push("default", payloads);
            Child server = run(place, runner, flags);
            awaitEnds(place, jids);
            place.await("all are settled", () -> place.isSettledBy(server));

            check(cases, ends(place));
            assertThat(place.strings("ZRANGE", "dead", "0", "-1"))
                    .extracting(Workplace::text)
                    .as("what a job changed is not what is kept")
                    .anyMatch(job -> job.contains("[\"changes_args\",[\"first\"]]"));
            place.pushJobs(50, "after", "PlainJob", "[1]");
            place.await("jobs after them run", () -> ends(place).containsKey("after49"));
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// Long: of the same tour.
    @Tag("long")
    @Test
    void onJRubyTheOneThatKillsAllThreadsEndsAndTheServerGoesOn() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            String killer = job("killer", "HostileJob", "[\"kills_all_threads\"]");
            place.push("default", List.of(killer.getBytes(UTF_8)));
            Child server = run(place, "jruby", "-c 4");
            awaitEnds(place, Set.of("killer"));
            place.pushJobs(50, "after", "PlainJob", "[1]");
            place.await(
                    "all jobs after it ran",
                    () ->
                            place.ledger().byJid("end").keySet().stream()
                                            .filter(jid -> jid.startsWith("after"))
                                            .count()
                                    == 50);
            place.await("all are settled", () -> place.isSettledBy(server));

            assertThat(ends(place).get("killer")).isIn("ThreadError", "SystemExit");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    private static void awaitEnds(Workplace place, Set<String> jids) {
        try {
            place.await("all have ended", () -> ends(place).keySet().containsAll(jids));
        } catch (AssertionError tooLong) {
            Set<String> missing = new TreeSet<>(jids);
            missing.removeAll(ends(place).keySet());
            throw new AssertionError("these have not ended: " + missing, tooLong);
        }
    }

    private static void check(List<Case> cases, Map<String, String> ends) {
        SoftAssertions all = new SoftAssertions();
        for (Case one : cases) {
            all.assertThat(one.ends()).as(one.name()).contains(ends.get(one.name()));
            for (String jid : one.beside()) {
                all.assertThat(ends.get(jid)).as(jid).isEqualTo("ok");
            }
        }
        all.assertAll();
    }

    @Test
    void childrenThatCannotStartBurnNoJobs() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            place.open("shut");
            place.pushJobs(5, "waits", "PlainJob", "[1]");
            Child server = run(place, "mri", "--processes 1 -c 2");
            server.awaitLog("no child process: ");
            server.awaitLog("not yet");
            assertThat(place.ledger().lines("start")).isEmpty();

            place.shut("shut");

            place.await("they run", () -> ends(place).size() == 5);
            assertThat(ends(place).values()).containsOnly("ok");
        }
    }

    @Test
    void aRubyThatIsTooOldIsAClearError() throws IOException {
        Path old = Files.writeString(folder.resolve("old.rb"), "RUBY_VERSION = '2.6.10'\n");
        Path ruby = folder.resolve("ruby");
        Files.writeString(ruby, "#!/bin/sh\nexec ruby -W0 -r " + old + " \"$@\"\n");
        assertThat(ruby.toFile().setExecutable(true)).isTrue();
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(1, "waits", "PlainJob", "[1]");
            Child server = run(place, "mri", "--ruby " + ruby);

            assertThat(server.awaitExit()).isOne();
            assertThat(server.log())
                    .contains("this is ruby 2.6.10: the mri runner needs MRI 2.7 or later");
            assertThat(place.queued()).containsExactly("waits0");
        }
    }
}
