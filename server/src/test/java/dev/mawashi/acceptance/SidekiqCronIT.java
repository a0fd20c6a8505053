package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An app with the real gem sidekiq-cron in real servers: its schedules enqueue their jobs, its
/// file is loaded, its API goes on working, and a Sidekiq beside enqueues no time twice.
final class SidekiqCronIT {
    private static final Path APP = Programs.SCRIPTS.resolve("cron_app.rb");

    private static final String SCHEDULE =
            """
            pulse: { cron: "* * * * * *", class: PlainJob, queue: default }
            first: { cron: "* * * * * *", class: PlainJob, queue: kept }
            second: { cron: "* * * * * *", class: PlainJob, queue: kept, status: disabled }
            """;

    private static final String CREATE =
            """
            Sidekiq::Cron::Job.load_from_hash!(
              %w[a b c].to_h { |name| [name, { "cron" => "* * * * * *", "class" => "PlainJob", "queue" => name }] })
            """;

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void theScheduleFileIsLoadedAndTheApiCounts(String runner) throws IOException {
        String file = Files.writeString(folder.resolve("schedule.yml"), SCHEDULE).toString();
        try (Workplace place = new Workplace(folder)) {
            Map<String, String> gems = gems(place, runner, Map.of("SCHEDULE", file));
            Child server = run(place, gems, "--runner", runner);
            place.await("both", () -> runs(place) > 0 && queued(place, "kept") > 0);

            api(place, "find(\"first\").disable!");
            // The looks that were under way are over, and others have come.
            long before = times(place);
            place.await("looks", () -> times(place) >= before + 3);
            long kept = queued(place, "kept");
            place.await("others", () -> times(place) >= before + 6);
            assertThat(queued(place, "kept")).isEqualTo(kept);

            assertThat(act(place, "run", "second")).matches("[0-9a-f]{24}");
            assertThat(queued(place, "kept")).isEqualTo(kept + 1);
            assertThat(act(place, "resume", "second")).startsWith("second is resumed");
            place.await("the other", () -> queued(place, "kept") > kept + 1);
            api(place, "destroy(\"second\")");
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(server.log()).doesNotContain("sidekiq-cron");
            // The gem notes the time before a schedule is created, too, and ten jobs at most.
            long times = times(place) - 1;
            assertThat(place.number("LLEN", "cron_job:pulse:jid_history"))
                    .isEqualTo(Math.min(10, times));
        }
    }

    /// `sidekiq_cron_test.rb` has the same for single crash points, and is quick.
    @Test
    @Tag("long")
    void eachTimeIsEnqueuedOnceBesideASidekiqWhileServersAreKilled() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            place.ruby("create", "-r" + APP, "-e", CREATE);
            Child jruby = run(place, gems(place, "jruby", Map.of()), "--runner", "jruby");
            place.await("jruby", () -> queued(place, "a") >= 2);
            Child sidekiq = place.sidekiqFor(APP, "-q", "default");
            Child mri = run(place, Map.of(), "--runner", "mri", "--processes", "2");
            mri.awaitLog("working on");
            for (int i = 0; i < 3; i++) {
                children(mri).forEach(ProcessHandle::destroyForcibly);
                more(place, 3);
            }
            jruby.kill();
            more(place, 3);
            mri.signal("KILL");
            Child last = run(place, Map.of(), "--runner", "mri", "--processes", "1");
            more(place, 6);
            Comparison.endAll(List.of(sidekiq, last));

            for (String name : List.of("a", "b", "c")) {
                long times = place.number("ZCARD", "cron_job:" + name + ":enqueued") - 1;
                assertThat(queued(place, name)).as(name).isEqualTo(times);
            }
        }
    }

    private static void more(Workplace place, int jobs) {
        long before = queued(place, "c");
        place.await(jobs + " more", () -> queued(place, "c") >= before + jobs);
    }

    /// What the server's Ruby has forked.
    static List<ProcessHandle> children(Child server) {
        return ProcessHandle.of(server.pid()).stream()
                .flatMap(ProcessHandle::children)
                .flatMap(ProcessHandle::children)
                .toList();
    }

    private static Child run(Workplace place, Map<String, String> environment, String... flags) {
        String[] first = {"run", "-r", APP.toString(), "--lease", "2", "--sweep", "0.5", "-c", "2"};
        String[] all = Arrays.copyOf(first, first.length + flags.length);
        System.arraycopy(flags, 0, all, first.length, flags.length);
        return place.mawashi(environment, all);
    }

    private static void api(Workplace place, String call) {
        place.ruby("api", "-r" + APP, "-e", "Sidekiq::Cron::Job." + call);
    }

    private static String act(Workplace place, String act, String name) {
        Child command = place.mawashi(Map.of(), "cron", act, name);
        assertThat(command.awaitExit()).as(command::log).isZero();
        return command.logLines().getLast();
    }

    /// Times at which looks have enqueued the job of `pulse`, whenever that runs.
    private static long times(Workplace place) {
        return place.number("ZCARD", "cron_job:pulse:enqueued");
    }

    private static long runs(Workplace place) {
        return place.ledger().count("end", "PlainJob");
    }

    private static long queued(Workplace place, String queue) {
        return place.number("LLEN", "queue:" + queue);
    }

    private Map<String, String> gems(Workplace place, String runner, Map<String, String> more)
            throws IOException {
        Map<String, String> all = new HashMap<>(more);
        if (runner.equals("jruby")) {
            all.putAll(JrubyGems.of(place, folder, List.of("sidekiq", "sidekiq-cron")));
        }
        return all;
    }
}
