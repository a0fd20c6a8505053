package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An app with the gem sidekiq-scheduler in real servers. Debian does not have the gem: a part of
/// it stands in for it, with the real rufus-scheduler; `-Dsidekiq.scheduler=.../lib` takes the real
/// one.
final class SidekiqSchedulerIT {
    private static final Path APP = Programs.SCRIPTS.resolve("scheduler_app.rb");
    private static final String GEM =
            System.getProperty("sidekiq.scheduler", "../ruby/src/test/ruby/gems/sidekiq-scheduler");

    private static final String SETTINGS =
            """
            :queues: [default]
            :concurrency: 1
            :scheduler:
              :schedule:
                pulse: { cron: "* * * * * *", class: PlainJob, queue: default }
                line: { cron: "* * * * * *", class: PlainJob, queue: line, args: [1] }
                period: { every: "1s", class: PlainJob, queue: period }
                once: { in: "1s", class: PlainJob, queue: once }
                still: { cron: "* * * * * *", class: PlainJob, queue: still, enabled: false }
                bad: { cron: "nonsense", class: PlainJob }
            """;

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void itsSchedulesAreFiredListedPausedAndRun(String runner) throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, runner, "-c", "2");
            place.await("jobs", () -> runs(place) > 1 && queued(place, "line") > 1);
            place.await(
                    "all forms", () -> queued(place, "period") > 0 && queued(place, "once") > 0);
            assertThat(server.log()).contains("sidekiq-scheduler: bad: ");

            assertThat(cron(place)).contains("sidekiq-scheduler:line", "every 1s", "in 1s");
            assertThat(cron(place, "run", "still")).matches("(?s).*[0-9a-f]{24}\\s*");
            assertThat(queued(place, "still")).isEqualTo(1);
            assertThat(cron(place, "pause", "line")).contains("line is paused");
            long before = marks(place, "pulse");
            place.await("looks", () -> marks(place, "pulse") >= before + 2);
            long line = queued(place, "line");
            place.await("others", () -> marks(place, "pulse") >= before + 5);
            assertThat(queued(place, "line")).isEqualTo(line);
            cron(place, "resume", "line");
            place.await("it goes on", () -> queued(place, "line") > line);

            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertSingle(place);
            assertThat(queued(place, "once")).isEqualTo(1);
        }
    }

    /// Long: three servers one after the other; `PeriodicIT` has a kill.
    @Tag("long")
    @Test
    void noTimeIsFiredTwiceWhileServersAndTheirProcessesAreKilled() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            List<Child> servers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                servers.add(run(place, "mri", "--processes", "2", "-c", "1"));
            }
            servers.forEach(server -> server.awaitLog("working on"));
            more(place);
            for (int i = 0; i < 2; i++) {
                SidekiqCronIT.children(servers.getFirst()).forEach(ProcessHandle::destroyForcibly);
                more(place);
            }
            servers.getFirst().kill();
            more(place);
            servers.set(0, run(place, "mri", "--processes", "1", "-c", "1"));
            servers.getFirst().awaitLog("working on");
            servers.getLast().signal("KILL");
            more(place);
            servers.getFirst().signal("TERM");
            assertThat(servers.getFirst().awaitExit()).as(servers.getFirst()::log).isZero();

            assertSingle(place);
            // Each of the three servers came to it at most once, however many processes it had.
            assertThat(queued(place, "once")).isBetween(1L, 3L);
        }
    }

    /// A process that dies between mark and job leaves the mark alone.
    private static void assertSingle(Workplace place) {
        for (String name : List.of("line", "period")) {
            assertThat(queued(place, name)).as(name).isLessThanOrEqualTo(marks(place, name));
            assertThat(queued(place, name)).as(name).isGreaterThan(marks(place, name) - 5);
        }
    }

    private static void more(Workplace place) {
        long before = queued(place, "line");
        place.await("more", () -> queued(place, "line") >= before + 3);
    }

    private Child run(Workplace place, String runner, String... flags) throws IOException {
        Path settings = Files.writeString(folder.resolve("sidekiq.yml"), SETTINGS);
        List<String> all = new ArrayList<>(List.of("run", "-r", APP.toString(), "--lease", "2"));
        all.addAll(List.of("--sweep", "0.5", "--runner", runner, "-C", settings.toString()));
        all.addAll(List.of(flags));
        return place.mawashi(gems(place, runner), all.toArray(String[]::new));
    }

    private Map<String, String> gems(Workplace place, String runner) throws IOException {
        Map<String, String> all = new HashMap<>();
        if (runner.equals("jruby")) {
            all.putAll(JrubyGems.of(place, folder, List.of("sidekiq", "rufus-scheduler")));
        }
        String gem = Path.of(GEM).toAbsolutePath().normalize().toString();
        all.merge("RUBYLIB", gem, (copies, own) -> own + ":" + copies);
        return all;
    }

    private static String cron(Workplace place, String... words) {
        List<String> all = new ArrayList<>(List.of("cron"));
        all.addAll(List.of(words));
        Child command = place.mawashi(Map.of(), all.toArray(String[]::new));
        assertThat(command.awaitExit()).as(command::log).isZero();
        return command.log();
    }

    private static long runs(Workplace place) {
        return place.ledger().count("end", "PlainJob");
    }

    private static long marks(Workplace place, String name) {
        return place.number("ZCARD", "sidekiq-scheduler:pushed:" + name);
    }

    private static long queued(Workplace place, String queue) {
        return place.number("LLEN", "queue:" + queue);
    }
}
