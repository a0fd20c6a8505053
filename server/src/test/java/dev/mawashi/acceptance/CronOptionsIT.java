package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.wire.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of `cron` in real servers: each is what its class's `perform_async` makes.
final class CronOptionsIT {
    private static final String CLASSES =
            """
            require %s
            class Plain
              include Sidekiq::Job
            end
            class Chosen
              include Sidekiq::Job
              sidekiq_options queue: :low, retry: 3, tags: ["a"], backtrace: 5, expires_in: 60, unique_for: 60
            end
            class Odd
              include Sidekiq::Job
              sidekiq_options queue: :odd, retry: nil
              def perform(*) = nil
            end
            """;

    private static final String SCHEDULES =
            """
            cron:
              plain: { cron: "* * * * * *", class: Plain, args: [1], missed: skip }
              chosen: { cron: "* * * * * *", class: Chosen, args: [1, two], missed: skip }
              own: { cron: "* * * * * *", class: Chosen, queue: own, retry: false, missed: skip }
              odd: { cron: "* * * * * *", class: Odd, missed: skip }
              lost: { cron: "* * * * * *", class: NoSuchJob, queue: lost, missed: skip }
            """;

    private static final String MAILING =
            """
            require %s
            require "logger"
            require "active_job"
            ActiveJob::Base.queue_adapter = :sidekiq
            ActiveJob::Base.logger = Logger.new(IO::NULL)
            ActiveJob::Base.include(Sidekiq::Worker::Options)
            ActiveJob::Base.queue_name_prefix = "my"
            class Mailing < ActiveJob::Base
              queue_as { "mails" }
              sidekiq_options retry: 2, queue: "not_this"
              def perform(*) = nil
            end
            """;

    @TempDir Path folder;

    private String config(String schedules) throws IOException {
        Files.writeString(folder.resolve("mawashi.yml"), schedules);
        // No queue of the schedules, so that their jobs stay where they are.
        return Files.writeString(folder.resolve("sidekiq.yml"), ":queues: [other]\n").toString();
    }

    private String app(String classes) throws IOException {
        String text = classes.formatted('"' + Workplace.APP + '"');
        return Files.writeString(folder.resolve("classes.rb"), text).toString();
    }

    /// The fields of the newest job of a queue, but for what each job has of its own.
    private static Map<String, String> job(Workplace place, String queue) {
        place.await("a job in " + queue, () -> place.number("LLEN", "queue:" + queue) > 0);
        Payload job = Payload.parse(place.strings("LRANGE", "queue:" + queue, "0", "0").getFirst());
        Map<String, String> fields = new TreeMap<>();
        job.names().forEach(name -> fields.put(name, String.valueOf(job.raw(name))));
        fields.keySet().removeAll(Set.of("jid", "created_at", "enqueued_at"));
        return fields;
    }

    @EachOf({"mri", "jruby", "fork"})
    void theJobIsWhatItsClassMakesAndTheEntryWins(String runner) throws IOException {
        String config = config(SCHEDULES);
        String app = app(CLASSES);
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.mawashi(
                            Workplace.NO_GEMS, "run", "-r", app, "-C", config, "--runner", runner);
            server.awaitLog("working on");
            Map<String, String> plain = job(place, "default");
            Map<String, String> chosen = job(place, "low");
            Map<String, String> own = job(place, "own");
            Map<String, String> odd = job(place, "odd");
            Child run = place.mawashi(Map.of(), "cron", "run", "chosen");
            assertThat(run.awaitExit()).as(run::log).isZero();
            assertThat(job(place, "low")).isEqualTo(chosen);
            assertThat(server.log())
                    .containsOnlyOnce(
                            "mawashi.yml line 2: cron.lost: the options of class NoSuchJob are not"
                                    + " known: NameError: uninitialized constant NoSuchJob");
            stop(server);

            place.integer("DEL", "queue:default", "queue:low", "queue:odd");
            place.ruby(
                    "push",
                    "-r" + app,
                    "-e",
                    "Plain.perform_async(1); Chosen.perform_async(1, 'two'); Odd.perform_async");
            Map<String, String> pushed = job(place, "low");
            // Locks are taken by the app's clients only.
            pushed.remove("unique_for");
            assertThat(chosen).isEqualTo(pushed).containsEntry("retry", "3");
            assertThat(plain).isEqualTo(job(place, "default")).containsEntry("retry", "true");
            assertThat(odd).isEqualTo(job(place, "odd"));
            pushed.putAll(Map.of("queue", "\"own\"", "retry", "false", "args", "[]"));
            assertThat(own).isEqualTo(pushed);
        }
    }

    private static void stop(Child server) {
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
    }

    /// ActiveJob's classes are known as such, with their `queue_as`.
    @Test
    void anActiveJobHasTheQueueThatItsClassNames() throws IOException {
        String config =
                config("cron: { mail: { cron: '* * * * * *', class: Mailing, args: [{ a: 1 }] } }");
        String app = app(MAILING);
        try (Workplace place = new Workplace(folder)) {
            String gems = place.ruby("gems", "-e", "puts Gem.path.join(':')").getLast();
            Child server =
                    place.mawashi(
                            Map.of("GEM_PATH", gems),
                            "run",
                            "-r",
                            app,
                            "-C",
                            config,
                            "--runner",
                            "mri");
            server.awaitLog("working on");
            String queue = "my_mails";
            Map<String, String> fired = job(place, queue);
            stop(server);
            place.integer("DEL", "queue:" + queue);
            place.ruby("push", "-r" + app, "-e", "Mailing.perform_later({ 'a' => 1 })");
            Map<String, String> pushed = job(place, queue);

            // Each has an id of its own in there.
            assertThat(fired.remove("args")).contains("\"queue_name\":\"my_mails\"");
            pushed.remove("args");
            assertThat(fired).isEqualTo(pushed).containsEntry("retry", "2");
        }
    }

    /// A reload asks for classes that are new in the file, a restart for those of new code.
    @Test
    @Tag("stack")
    void newEntriesAndNewCodeAreAskedAgain() throws IOException {
        String config = config("");
        String app = app(CLASSES);
        try (Workplace place = new Workplace(folder)) {
            Child server =
                    place.mawashi(
                            Workplace.NO_GEMS, "run", "-r", app, "-C", config, "--runner", "mri");
            server.awaitLog("working on");
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            config(SCHEDULES);
            Child reload = place.mawashi(Map.of(), "reload");
            assertThat(reload.awaitExit()).as(reload::log).isZero();
            assertThat(job(place, "low")).containsEntry("retry", "3");

            app(CLASSES.replace("queue: :low, retry: 3", "queue: :lower, retry: 4"));
            assertThat(Releases.restart(place, 0).log()).contains("generation 2 is ready");
            assertThat(job(place, "lower")).containsEntry("retry", "4");
        }
    }
}
