package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi run --resque`: class methods with their hooks, on every runner, beside Sidekiq's jobs.
final class ResqueIT {
    private static final String APP =
            Path.of("src/test/ruby/acceptance/resque_app.rb").toAbsolutePath().toString();

    @TempDir Path folder;

    private static Child run(Workplace place, String runner, String... more) {
        List<String> flags =
                new ArrayList<>(List.of("run", "-r", APP, "--lease", "2", "--sweep", "0.5"));
        flags.addAll(List.of("--runner", runner, "--resque-namespace", "app"));
        if (runner.equals("mri")) {
            flags.addAll(List.of("--processes", "1"));
        }
        flags.addAll(List.of(more));
        Child server = place.mawashi(Workplace.NO_GEMS, flags.toArray(String[]::new));
        server.awaitLog("working on");
        return server;
    }

    private static void push(Workplace place, String queue, String... payloads) {
        for (String payload : payloads) {
            place.number("SADD", "app:queues", queue);
            place.number("RPUSH", "app:queue:" + queue, payload);
        }
    }

    private static String job(String jobClass, String args) {
        return "{\"class\":\"" + jobClass + "\",\"args\":[" + args + "]}";
    }

    private static List<Payload> failed(Workplace place) {
        return place.strings("LRANGE", "app:failed", "0", "-1").stream()
                .map(Payload::parse)
                .toList();
    }

    @EachOf({"mri", "jruby", "fork"})
    void jobsRunWithTheirHooksFailIntoTheListAndSurviveAKill(String runner) {
        try (Workplace place = new Workplace(folder)) {
            push(place, "low", job("NotedJob", "\"last\""));
            push(
                    place,
                    "high",
                    job("NotedJob", "\"first\""),
                    job("NotedJob", "\"bad\",\"raise\""),
                    job("LeftOutJob", "\"left\""),
                    job("Around", "\"x\""),
                    "{\"class\":");
            place.pushJobs(3, "side", "PlainJob", "[1]");
            Child killed = run(place, runner, "--resque", "high,*", "-q", "default");
            place.await("all ran", () -> place.ledger().byJid("end").size() == 5);
            place.await("three failed", () -> failed(place).size() == 3);
            assertRuns(place, runner);
            assertFailures(place);

            String[] held = {
                job("NotedJob", "\"w1\",\"wait\""), job("NotedJob", "\"w2\",\"wait\"")
            };
            push(place, "new", held);
            place.await("one runs", () -> place.ledger().byJid("start").containsKey("w1"));
            killed.kill();
            Child server = run(place, runner, "--resque", "*");
            place.open("w1");
            place.open("w2");
            place.await(
                    "both ran",
                    () -> place.ledger().byJid("end").keySet().containsAll(List.of("w1", "w2")));

            // Which of them first depends on how soon the server is up.
            assertThat(begins(place, "w")).containsExactlyInAnyOrder("w1", "w1", "w2");
            assertThat(failed(place)).hasSize(3);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertLeft(place, runner);
            assertThat(server.log()).doesNotContain("defect");
        }
    }

    /// Nothing in flight, and runs by class. JRuby finds no gem here; where MRI finds Sidekiq 6,
    /// nobody reads metrics and none are written.
    private static void assertLeft(Workplace place, String runner) {
        assertThat(place.strings("KEYS", "mw:*inflight*")).isEmpty();
        if (runner.equals("jruby") || place.hasSidekiq(7)) {
            assertThat(place.counted("mw:runs|??????|*:??", "NotedJob|" + runner)).isGreaterThan(1);
            assertThat(place.counted("mw:runs|??????|*:?", "NotedJob|" + runner)).isGreaterThan(1);
        } else {
            assertThat(place.strings("KEYS", "mw:runs*")).isEmpty();
        }
    }

    @EachOf({"mri", "jruby", "fork"})
    void theFileNamesQueuesRunnerAndLimitsAndFlagsWinOverIt(String runner) throws IOException {
        Path config = configFiles(runner);
        try (Workplace place = new Workplace(folder)) {
            push(place, "limited", job("NotedJob", "\"slow\",\"wait\""));
            push(place, "high", job("NotedJob", "\"waits\",\"wait\""));
            push(place, "left", job("NotedJob", "\"never\""));
            Child server =
                    place.mawashi(
                            Workplace.NO_GEMS,
                            "run",
                            "-r",
                            APP,
                            "-C",
                            config.toString(),
                            "--resque-namespace",
                            "app");
            server.awaitLog("Resque's queues * with 3 slots, runner " + runner);
            place.await("one is over its limit", () -> failed(place).size() == 1);
            place.pushJobs(1, "side", "PlainJob", "[1]");
            place.open("waits");
            place.await(
                    "the others run",
                    () -> place.ledger().byJid("end").keySet().equals(Set.of("waits", "side0")));

            Payload failure = failed(place).getFirst();
            assertThat(failure.text("exception")).isEqualTo("Mawashi::TimeLimitExceeded");
            assertThat(failure.text("error")).contains("longer than its time limit of 0.5 s");
            assertThat(place.ledger().byJid("failure").keySet()).containsExactly("slow");
            assertThat(place.number("LLEN", "app:queue:left")).isOne();
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// Writes both files, and returns Sidekiq's.
    private Path configFiles(String runner) throws IOException {
        Files.writeString(
                folder.resolve("mawashi.yml"),
                """
                runner: %s
                resque:
                  queues: "*,!left"
                  namespace: none
                  runner: %s
                  processes: 1
                  concurrency: 3
                  time_limits: { limited: 0.5 }
                """
                        .formatted(runner.equals("mri") ? "fork" : "mri", runner));
        return Files.writeString(folder.resolve("sidekiq.yml"), ":queues: [default]\n");
    }

    @EachOf({"mri", "jruby", "fork"})
    void aRunIsCancelledByWhatBusyShowsAndTheOtherOfTwoThatAreAlikeGoesOn(String runner) {
        try (Workplace place = new Workplace(folder)) {
            // In a process of its own even a job that hears nothing can be ended alone.
            String alike =
                    job("NotedJob", runner.equals("fork") ? "\"w\",\"deaf\"" : "\"w\",\"wait\"");
            push(place, "high", alike, alike);
            Child server = run(place, runner, "--resque", "*", "-c", "2");
            place.await("both run", () -> begins(place, "w").size() == 2);
            place.await(
                    "both are told", () -> place.strings("KEYS", "app:worker:*[*]").size() == 2);

            List<Payload> busy = busy(place);
            assertThat(busy).hasSize(2);
            assertThat(busy.getFirst().raw("args")).isEqualTo(busy.getLast().raw("args"));
            String run = String.valueOf(busy.getFirst().text("run"));
            Child cancel =
                    place.mawashi(Workplace.NO_GEMS, "cancel", run, "--resque-namespace", "app");
            assertThat(cancel.awaitExit()).as(cancel::log).isZero();
            assertThat(cancel.log()).contains("run " + run + " was ended in ");

            server.awaitLog("job was cancelled, it is gone: class=NotedJob jid=" + run);
            assertThat(place.ledger().byJid(runner.equals("fork") ? "asked" : "failure"))
                    .containsKey("w");
            place.open("w");
            place.await("the other ends", () -> place.ledger().count("end", "NotedJob") == 1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(begins(place, "w")).hasSize(2);
            assertThat(failed(place)).isEmpty();
            assertThat(place.strings("KEYS", "mw:*cancelled")).isEmpty();
        }
    }

    private static List<Payload> busy(Workplace place) {
        Child busy =
                place.mawashi(Workplace.NO_GEMS, "busy", "--json", "--resque-namespace", "app");
        assertThat(busy.awaitExit()).as(busy::log).isZero();
        return busy.logLines().stream()
                .filter(line -> line.startsWith("{"))
                .map(line -> Payload.parse(line.getBytes(UTF_8)))
                .toList();
    }

    private static void assertRuns(Workplace place, String runner) {
        List<Ledger.Line> begun =
                place.ledger().lines("start").stream()
                        .filter(line -> line.jobClass().equals("NotedJob"))
                        .toList();
        assertThat(begun.stream().map(Ledger.Line::subject))
                .containsExactly("first", "bad", "last");
        assertThat(begun.getFirst().rest()).isEqualTo(runner.equals("jruby") ? "jruby" : "ruby");
        assertThat(place.ledger().byJid("before")).containsKey("left");
        assertThat(place.ledger().byJid("failure").keySet()).containsExactly("bad");
    }

    private static void assertFailures(Workplace place) {
        assertThat(failed(place).stream().map(failure -> failure.text("exception")))
                .containsExactlyInAnyOrder(
                        "IOError", "NoMethodError", "Resque::Helpers::DecodeException");
        Payload raised =
                failed(place).stream()
                        .filter(failure -> "IOError".equals(failure.text("exception")))
                        .findFirst()
                        .orElseThrow();
        assertThat(raised.raw("payload")).isEqualTo(job("NotedJob", "\"bad\",\"raise\""));
        assertThat(raised.text("error")).isEqualTo("no disk for bad");
        assertThat(raised.text("queue")).isEqualTo("high");
        assertThat(raised.raw("backtrace").split("\",\""))
                .allSatisfy(line -> assertThat(line).contains("resque_app.rb:"))
                .anySatisfy(line -> assertThat(line).contains("perform"));
        assertThat(place.integer("GET", "app:stat:failed")).isEqualTo(3);
    }

    private static List<String> begins(Workplace place, String prefix) {
        return place.ledger().lines("start").stream()
                .map(Ledger.Line::subject)
                .filter(jid -> jid.startsWith(prefix))
                .toList();
    }
}
