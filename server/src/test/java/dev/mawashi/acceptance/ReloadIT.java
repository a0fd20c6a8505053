package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mawashi reload` of real servers, whose files change while they work.
final class ReloadIT {
    private static final int EACH = 20;
    private static final Pattern URL = Pattern.compile("the page, probes and metrics at (\\S+)");

    private static final String BOTH =
            """
            for i = 1, 20 do
              for _, queue in ipairs({'a', 'b'}) do
                local job = '{"class":"PlainJob","args":[],"jid":"' .. queue .. '%s-' .. i .. '"}'
                redis.call('LPUSH', 'queue:' .. queue, job)
              end
            end
            return 1
            """;

    @TempDir Path folder;

    private void write(String name, String text) {
        try {
            Files.createDirectories(folder.resolve("config"));
            Files.writeString(folder.resolve("config").resolve(name), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Child server(Workplace place, String runner, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of("-C", folder.resolve("config/sidekiq.yml").toString()));
        words.addAll(List.of("--runner", runner));
        Child server = place.run(Workplace.NO_GEMS, words.toArray(String[]::new));
        server.awaitLog("working on");
        place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
        return server;
    }

    private static String reload(Workplace place, int exit) {
        Child reload = place.mawashi(Map.of(), "reload");
        assertThat(reload.awaitExit()).as(reload::log).isEqualTo(exit);
        return reload.log();
    }

    private static void hold(Workplace place, String gate) {
        String job = "{\"class\":\"GateJob\",\"args\":[\"%1$s\"],\"jid\":\"%1$s\"}".formatted(gate);
        place.push("a", List.of(job.getBytes(UTF_8)));
        place.await(
                gate + " runs", () -> place.ledger().byJid("start").getOrDefault(gate, 0L) == 1);
    }

    /// The queue whose jobs run last, of two that get as many at once.
    private static String last(Workplace place, String name) {
        String gate = "gate" + name;
        hold(place, gate);
        place.integer("EVAL", BOTH.formatted(name), "0");
        // A connection that is still parked takes a job, and a claim that comes meanwhile leaves
        // out its queue. With the slot held all that goes back.
        place.await("all wait", () -> waiting(place, "a") == EACH && waiting(place, "b") == EACH);
        place.open(gate);
        place.await("all ran", () -> ran(place, name).size() == 2 * EACH);
        List<String> last = ran(place, name).subList(EACH * 3 / 2, 2 * EACH);
        assertThat(last).extracting(jid -> jid.charAt(0)).containsOnly(last.getFirst().charAt(0));
        return last.getFirst().substring(0, 1);
    }

    private static long waiting(Workplace place, String queue) {
        return place.number("LLEN", "queue:" + queue);
    }

    private static List<String> ran(Workplace place, String name) {
        return place.ledger().lines("end").stream()
                .map(Ledger.Line::subject)
                .filter(jid -> jid.startsWith("a" + name + "-") || jid.startsWith("b" + name + "-"))
                .toList();
    }

    @EachOf({"mri", "jruby"})
    void queuesAndLimitsChangeWhileJobsRun(String runner) {
        write("sidekiq.yml", "concurrency: 1\nqueues: [a, b]\n");
        write("mawashi.yml", "processes: 1\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = server(place, runner);
            assertThat(reload(place, 0)).contains("nothing has changed");
            assertThat(last(place, "1")).isEqualTo("b");

            write("sidekiq.yml", "concurrency: 1\nqueues: [b, <%= :a %>]\n");
            assertThat(reload(place, 0)).contains(": queues of capsule default: b, a\n");
            assertThat(last(place, "2")).isEqualTo("a");
            write("sidekiq.yml", "concurrency: 1\nqueues: [[b, 1], [a, 2]]\n");
            assertThat(reload(place, 0)).contains(": queues of capsule default: b,1, a,2\n");
            place.await(
                    "its record has them",
                    () -> info(place).contains("\"weights\":{\"b\":1,\"a\":2}"));

            hold(place, "long");
            write(
                    "mawashi.yml",
                    "processes: 1\ntime_limit: 0.5\nqueues: { b: { time_limit: 9 } }\n");
            assertThat(reload(place, 0))
                    .contains(": time_limit of capsule default: 0.5 s, b 9 s\n");
            place.await("it is ended", () -> place.number("ZCARD", "retry") == 1);
            assertThat(Workplace.text(place.strings("ZRANGE", "retry", "0", "0").getFirst()))
                    .contains("ran longer than its time limit of 0.5 s");
            assertThat(reload(place, 0)).contains("nothing has changed");
            assertThat(server.log())
                    .contains("reload: nothing has changed")
                    .contains("reload: queues of capsule default: b, a");
            Child audit = place.mawashi(Map.of(), "audit");
            assertThat(audit.awaitExit()).isZero();
            assertThat(audit.log()).contains("queues of capsule default: b, a");
        }
    }

    /// What Sidekiq's page shows of the server.
    private static String info(Workplace place) {
        String id = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
        return Workplace.text(place.bytes("HGET", id, "info"));
    }

    /// Long: ten commands; `thePageReloadsToo` and `CronIT` have a file that cannot be followed.
    @Tag("long")
    @EachOf({"mri", "jruby"})
    void whatCannotBeFollowedChangesNothing(String runner) throws IOException {
        String good = "concurrency: 1\nqueues: [a, b]\n";
        write("sidekiq.yml", good);
        write("mawashi.yml", "time_limit: 60\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = server(place, runner);
            String other = "concurrency: 1\nqueues: [b, a]\n";
            refuse(place, other, "time_limt: 5\n", "mawashi.yml line 1: unknown key time_limt");
            refuse(place, other, "a: [", "mawashi.yml is no YAML");
            refuse(place, other, "capsules: { x: { time_limit: 5 } }", "names a capsule \"x\"");
            refuse(place, "queues: [b, [a", "time_limit: 5\n", "cannot read");
            refuse(place, "queues: [b, [a, no]]", "time_limit: 5\n", "weight of queue a");
            refuse(place, "queues: [b, a]\n<% raise 'no' %>", "time_limit: 5\n", "its ERB raised");
            Files.delete(folder.resolve("config/mawashi.yml"));
            assertThat(reload(place, 1)).contains("mawashi.yml is gone: put it back");
            write("mawashi.yml", "time_limit: 60\n");
            Files.delete(folder.resolve("config/sidekiq.yml"));
            // Named by -C, so that it has to be there.
            assertThat(reload(place, 1)).contains("there is no config file");

            write("sidekiq.yml", good);
            assertThat(reload(place, 0)).contains("nothing has changed");
            assertThat(last(place, "1")).isEqualTo("b");
            assertThat(server.log()).contains("reload: nothing is changed: ");
        }
    }

    /// By the page's button and by a program; the record has what a command would print.
    @Test
    void thePageReloadsToo() {
        write("sidekiq.yml", "concurrency: 1\nqueues: [a, b]\n");
        write("mawashi.yml", "processes: 1\n");
        try (Workplace place = new Workplace(folder);
                Caller caller = new Caller()) {
            Child server = server(place, "mri", "--web", "0");
            Matcher url = URL.matcher(server.awaitLog("the page, probes").log());
            assertThat(url.find()).isTrue();
            String page = url.group(1);
            String id = Workplace.text(place.strings("SMEMBERS", "processes").getFirst());
            String at = "processes/" + id.replace(":", "%3A");
            String path = "/api/v1/" + at + "/reload";
            assertThat(caller.get(page + "/" + at).body()).contains("action=\"" + path + "\"");

            write("sidekiq.yml", "concurrency: 2\nqueues: [b, a]\n");
            assertThat(post(caller, page + path).body())
                    .contains("queues of capsule default: b, a; at its next start only: ");
            write("sidekiq.yml", "concurrency: 1\nqueues: [b, a]\n");
            assertThat(post(caller, page + path).body()).contains("nothing has changed");

            write("mawashi.yml", "time_limt: 5\n");
            HttpResponse<String> refused = post(caller, page + path);
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("mawashi.yml line 1: unknown key time_limt");
            assertThat(place.number("LLEN", "mw:audit")).isEqualTo(2);
        }
    }

    private static HttpResponse<String> post(Caller caller, String url) {
        return caller.post(
                url, "{}", "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin");
    }

    private void refuse(Workplace place, String sidekiq, String mawashi, String reason) {
        write("sidekiq.yml", sidekiq);
        write("mawashi.yml", mawashi);
        String log = reload(place, 1);
        assertThat(log).startsWith("mawashi: not reloaded: ").contains(reason).hasLineCount(1);
    }

    /// Long: a server of its own; `queuesAndLimitsChangeWhileJobsRun` is the quick one.
    @Tag("long")
    @Test
    void whatOnlyAStartChangesIsNamedEachTimeAndTheRestCounts() {
        write("sidekiq.yml", "concurrency: 1\nqueues: [a, b]\n");
        write("mawashi.yml", "");
        try (Workplace place = new Workplace(folder)) {
            Child server = server(place, "mri");
            write("sidekiq.yml", "concurrency: 2\nmax_retries: 3\nqueues: [b, a]\n");
            write(
                    "mawashi.yml",
                    "log_level: error\nredact: [{ class: A, keys: b }]\n"
                            + "restart: { boot_limit: 9 }\nrecycle_jobs: 5\n");
            String log = reload(place, 0);

            assertThat(log)
                    .contains(": queues of capsule default: b, a\n", ": log_level: error\n")
                    .contains(": redact: 1 rule\n", ": limits of restart\n")
                    .contains(": memory_limit, recycle_jobs and recycle_hours of capsule default:")
                    .contains(" only: the concurrency of capsule default\n")
                    .contains(" only: max_retries\n")
                    .contains(" only: redact in the app's own log lines\n");
            assertThat(place.number("ZCARD", "mw:redact")).isOne();
            assertThat(last(place, "1")).isEqualTo("a");
            assertThat(reload(place, 0))
                    .contains(" only: the concurrency of capsule default\n")
                    .doesNotContain("nothing has changed");
            write("mawashi.yml", "queues: { b: { concurrency: 1 } }\n");
            assertThat(reload(place, 0))
                    .contains(
                            ": redact: 0 rules\n",
                            " only: the names of queues of capsule default\n")
                    .contains(" only: capsule default/b\n");
            assertThat(last(place, "2")).isEqualTo("a");
        }
    }

    /// With the jobs, so that a boot that fails changes nothing. Long: three restarts.
    @Tag("long")
    @Tag("stack")
    @Test
    void aRestartTakesThemOverToo() {
        write("sidekiq.yml", "concurrency: 1\nqueues: [a, b]\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = server(place, "mri");
            write("sidekiq.yml", "concurrency: 1\nqueues: [[b, 2], [a, 3]]\n");
            write("mawashi.yml", "time_limt: 600\n");
            assertThat(Releases.restart(place, 1).log())
                    .contains("generation 2 failed, generation 1 goes on: ", "time_limt");
            write("mawashi.yml", "time_limit: 600\n");
            assertThat(Releases.restart(place, 0).log()).contains("generation 2 is ready");
            server.awaitLog("restart: generation 1 has ended");

            assertThat(server.log())
                    .containsOnlyOnce(
                            "restart: queues of capsule default: b,2, a,3;"
                                    + " time_limit of capsule default: 600 s\n");
            assertThat(reload(place, 0)).contains("nothing has changed");
            assertThat(Releases.restart(place, 0).log()).contains("generation 3 is ready");
        }
    }
}
