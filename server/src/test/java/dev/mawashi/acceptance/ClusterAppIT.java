package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.redis.ClusterForTests;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// An app whose Sidekiq has its jobs in a Cluster, by the gem mawashi.
@Tag("stack")
final class ClusterAppIT {
    private static final String APP = Programs.SCRIPTS.resolve("cluster_app.rb").toString();
    private static final Pattern URL = Pattern.compile("probes and metrics at (http://\\S+)");
    private static final ClusterForTests CLUSTER = new ClusterForTests(1);

    private static final String COUNT =
            """
            require "sidekiq/api"
            stats = Sidekiq::Stats.new
            puts [stats.processed, stats.dead_size, Sidekiq::Queue.new("kept").size, Sidekiq::ProcessSet.new.size].join(",")
            """;

    private static final String SCHEDULE =
            """
            cron:
              pulse: { cron: "* * * * * *", class: PlainJob, queue: default }
              second: { cron: "0 0 1 1 *", class: PlainJob, queue: kept }
            """;

    @TempDir Path folder;

    @AfterAll
    static void stopCluster() {
        CLUSTER.close();
    }

    /// Nodes are not lost here; see the scenarios of `ClusteredRedis`.
    @EachOf({"mri", "jruby", "fork"})
    void itRunsThereAsElsewhereWhileTheSlotMoves(String runner) {
        try (Workplace place = new Workplace(folder);
                RedisConnection redis = connect(runner)) {
            ruby(place, runner, EnqueuingJobs.PUSH);
            Child first = run(place, runner, "--web", "0");
            place.await("first runs", () -> isDoneButForTheGate(place, redis));
            assertThat((byte[]) redis.call("GET", "forwarded")).asString().isEqualTo("1");
            assertThat(redis.call("HLEN", "mw:locks")).isEqualTo(1L);
            look(place, runner, first);

            RedisServerForTests other = CLUSTER.another(runner);
            CLUSTER.beginMove(runner, other);
            CLUSTER.endMove(runner, other);
            ruby(place, runner, EnqueuingJobs.HURRY);
            place.await("a retry", () -> place.ledger().count("end", "FlakyJob") == 1);
            first.signal("KILL");
            assertThat(first.awaitExit()).isNotZero();
            Child second = run(place, runner);
            place.open("gate");
            place.await("recovery", () -> place.ledger().count("end", "UniqueGateJob") > 0);
            place.await("its lock is free", () -> redis.call("HLEN", "mw:locks").equals(0L));
            second.signal("TERM");
            assertThat(second.awaitExit()).as(second::log).isZero();

            backToSidekiq(place, runner);
            assertThat(place.ledger().count("end", "PlainJob")).isEqualTo(EnqueuingJobs.PLAIN + 2);
        }
    }

    private static RedisConnection connect(String name) {
        return new RedisConnection(CLUSTER.address(name), "test", Duration.ofSeconds(30));
    }

    private static boolean isDoneButForTheGate(Workplace place, RedisConnection redis) {
        return place.ledger().count("end", "PlainJob") == EnqueuingJobs.PLAIN
                && place.ledger().count("end", "ForwardJob") == 1
                && place.ledger().count("start", "UniqueGateJob") == 1
                && redis.call("ZCARD", "retry").equals(1L)
                && redis.call("ZCARD", "dead").equals(1L);
    }

    private static void look(Workplace place, String runner, Child server) {
        Child stats = place.mawashi(environment(runner, runner), "stats", "--json");
        assertThat(stats.awaitExit()).as(stats::log).isZero();
        assertThat(stats.log()).contains("\"dead\":1", "\"retries\":1");
        Child count = client(place, runner, COUNT);
        assertThat(count.awaitExit()).as(count::log).isZero();
        assertThat(count.log()).contains(",1,0,1");

        Matcher address = URL.matcher(server.log());
        assertThat(address.find()).as(server::log).isTrue();
        try (Caller caller = new Caller()) {
            for (String path : List.of("/dead", "/api/v1/dead")) {
                place.await(path, () -> caller.tells(address.group(1) + path, 200, "PickyJob"));
            }
        }
    }

    private static void backToSidekiq(Workplace place, String runner) {
        ruby(place, runner, "2.times { PlainJob.perform_async }");
        Child sidekiq =
                place.start("sidekiq", List.of("sidekiq", "-r", APP), environment("mri", runner));
        place.await(
                "the rest",
                () -> place.ledger().count("end", "PlainJob") == EnqueuingJobs.PLAIN + 2);
        sidekiq.signal("TERM");
        assertThat(sidekiq.awaitExit()).as(sidekiq::log).isZero();
    }

    @Tag("long") // CronIT shows how they run
    @EachOf({"mri", "jruby", "fork"})
    void schedulesAreThereToo(String runner) throws IOException {
        String name = "cron-" + runner;
        Path file = Files.writeString(folder.resolve("mawashi.yml"), SCHEDULE);
        try (Workplace place = new Workplace(folder);
                RedisConnection redis = connect(name)) {
            Map<String, String> environment = environment(runner, name);
            Child server = place.mawashi(environment, words(runner, "--config", file.toString()));
            place.await("a time", () -> place.ledger().count("end", "PlainJob") > 0);

            Child run = place.mawashi(environment, "cron", "run", "second");
            assertThat(run.awaitExit()).as(run::log).isZero();

            assertThat(redis.call("LLEN", "queue:kept")).isEqualTo(1L);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    private static Map<String, String> environment(String runner, String name) {
        Map<String, String> all = new HashMap<>();
        if (runner.equals("jruby")) {
            all.putAll(Workplace.DEBIAN_GEMS);
        }
        all.put("REDIS_URL", CLUSTER.url(name));
        return all;
    }

    private static String[] words(String runner, String... flags) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP, "--runner", runner));
        words.addAll(List.of("-c", "4", "-q", "default", "-q", "low"));
        words.addAll(List.of("--lease", "2", "--sweep", "0.5"));
        words.addAll(List.of(flags));
        return words.toArray(String[]::new);
    }

    private static Child run(Workplace place, String runner, String... flags) {
        return place.mawashi(environment(runner, runner), words(runner, flags));
    }

    private static void ruby(Workplace place, String name, String code) {
        Child ruby = client(place, name, code);
        assertThat(ruby.awaitExit()).as(ruby::log).isZero();
    }

    private static Child client(Workplace place, String name, String code) {
        return place.start(
                "client", List.of("ruby", "-r" + APP, "-e", code), environment("mri", name));
    }
}
