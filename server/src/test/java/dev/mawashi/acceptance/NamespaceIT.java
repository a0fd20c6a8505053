package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.mawashi.EachOf;
import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An app whose Sidekiq has a namespace, by the real gem redis-namespace. Its user of Redis may use
/// no key without it, and Redis notes what it refuses.
final class NamespaceIT {
    private static final String APP = Programs.SCRIPTS.resolve("namespace_app.rb").toString();
    private static final Pattern URL = Pattern.compile("probes and metrics at (http://\\S+)");
    private static final String SCHEDULE =
            """
            pulse: { cron: "* * * * * *", class: PlainJob, queue: default }
            second: { cron: "* * * * * *", class: PlainJob, queue: kept, status: disabled }
            """;

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void nothingOfTheAppAndItsServersIsElsewhere(String runner) {
        try (Workplace place = new Workplace(folder)) {
            assumeFalse(place.hasSidekiq(7), "Sidekiq 7 has no namespaces");
            allow(place);
            ruby(place, "other", "2.times { PlainJob.perform_async }");
            ruby(place, "myapp", EnqueuingJobs.PUSH);
            Child first = run(place, runner, "myapp", "--web", "0");
            place.await("first runs", () -> isDoneButForTheGate(place));
            assertThat(place.integer("GET", "myapp:forwarded")).isEqualTo(1);
            assertThat(place.number("HLEN", "myapp:mw:locks")).isEqualTo(1);
            look(place, first);

            ruby(place, "myapp", EnqueuingJobs.HURRY);
            place.await("a retry", () -> place.ledger().count("end", "FlakyJob") == 1);
            first.signal("KILL");
            assertThat(first.awaitExit()).isNotZero();
            Child second = run(place, runner, "myapp");
            place.open("gate");
            place.await("recovery", () -> place.ledger().count("end", "UniqueGateJob") > 0);
            place.await("its lock is free", () -> place.number("HLEN", "myapp:mw:locks") == 0);
            second.signal("TERM");
            assertThat(second.awaitExit()).as(second::log).isZero();

            backToSidekiq(place);
            assertThat(place.ledger().count("end", "PlainJob")).isEqualTo(EnqueuingJobs.PLAIN + 2);
            assertThat(place.number("LLEN", "other:queue:default")).isEqualTo(2);
            nothingIsElsewhere(place);
        }
    }

    private static boolean isDoneButForTheGate(Workplace place) {
        return place.ledger().count("end", "PlainJob") == EnqueuingJobs.PLAIN
                && place.ledger().count("end", "ForwardJob") == 1
                && place.ledger().count("start", "UniqueGateJob") == 1
                && place.number("ZCARD", "myapp:retry") == 1
                && place.number("ZCARD", "myapp:dead") == 1;
    }

    private static void look(Workplace place, Child server) {
        Child stats = place.mawashi(Map.of(), "stats", "--json", "--namespace", "myapp");
        assertThat(stats.awaitExit()).as(stats::log).isZero();
        assertThat(stats.log()).contains("\"dead\":1", "\"retries\":1");
        Map<String, String> environment = Map.of("MAWASHI_NAMESPACE", "other");
        Child other = place.mawashi(environment, "stats", "--json");
        assertThat(other.awaitExit()).as(other::log).isZero();
        assertThat(other.log()).contains("\"dead\":0", "\"enqueued\":2");

        Matcher address = URL.matcher(server.log());
        assertThat(address.find()).as(server::log).isTrue();
        try (Caller caller = new Caller()) {
            for (String path : List.of("/dead", "/api/v1/dead")) {
                place.await(path, () -> caller.tells(address.group(1) + path, 200, "PickyJob"));
            }
        }
    }

    private static void backToSidekiq(Workplace place) {
        ruby(place, "myapp", "2.times { PlainJob.perform_async }");
        Child sidekiq =
                place.start(
                        "sidekiq",
                        List.of("sidekiq", "-r", APP),
                        environment(place, "mri", "myapp"));
        place.await(
                "the rest",
                () -> place.ledger().count("end", "PlainJob") == EnqueuingJobs.PLAIN + 2);
        sidekiq.signal("TERM");
        assertThat(sidekiq.awaitExit()).as(sidekiq::log).isZero();
    }

    @EachOf({"mri", "fork"})
    void theSchedulesOfSidekiqCronAreThereToo(String runner) throws IOException {
        String file = Files.writeString(folder.resolve("schedule.yml"), SCHEDULE).toString();
        try (Workplace place = new Workplace(folder)) {
            assumeFalse(place.hasSidekiq(7), "Sidekiq 7 has no namespaces");
            allow(place);
            Map<String, String> environment = environment(place, runner, "myapp");
            environment.putAll(Map.of("BASE_APP", "cron_app", "SCHEDULE", file));
            Child server = place.mawashi(environment, words(runner, "--namespace", "myapp"));
            place.await("a time", () -> place.ledger().count("end", "PlainJob") > 0);

            Child run = place.mawashi(Map.of(), "cron", "run", "second", "--namespace", "myapp");
            assertThat(run.awaitExit()).as(run::log).isZero();

            assertThat(place.number("LLEN", "myapp:queue:kept")).isEqualTo(1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            nothingIsElsewhere(place);
        }
    }

    @EachOf({"mri, none", "jruby, none", "mri, other"})
    void aServerOfAnotherNamespaceDoesNotStart(String runner, String servers) {
        String[] flags =
                servers.equals("none") ? new String[0] : new String[] {"--namespace", servers};
        try (Workplace place = new Workplace(folder)) {
            assumeFalse(place.hasSidekiq(7), "Sidekiq 7 has no namespaces");
            allow(place);
            Child server = place.mawashi(environment(place, runner, "myapp"), words(runner, flags));

            assertThat(server.awaitExit()).as(server::log).isNotZero();
            assertThat(server.log())
                    .contains("the app's own Sidekiq has the namespace myapp, and this server")
                    .contains("start with --namespace myapp");
        }
    }

    /// Long: `aServerOfAnotherNamespaceDoesNotStart` is the quick one.
    @Tag("long")
    @Test
    void anAppWithoutOneRefusesAServerWithOne() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(Workplace.NO_GEMS, "--namespace", "myapp");

            assertThat(server.awaitExit()).as(server::log).isNotZero();
            assertThat(server.log())
                    .contains("the app's own Sidekiq has no namespace, and this server has myapp");
        }
    }

    private static void allow(Workplace place) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "on", ">pw"));
        command.addAll(List.of("~myapp:*", "~other:*", "&*", "+@all"));
        place.number(command.toArray(String[]::new));
    }

    private static Map<String, String> environment(Workplace place, String runner, String own) {
        Map<String, String> all = new HashMap<>();
        if (runner.equals("jruby")) {
            all.putAll(Workplace.DEBIAN_GEMS);
        }
        all.put("REDIS_URL", place.redisUrl().replace("//", "//app:pw@"));
        all.put("OWN_NAMESPACE", own);
        return all;
    }

    private static String[] words(String runner, String... flags) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP, "--runner", runner));
        words.addAll(List.of("-c", "4", "-q", "default", "-q", "low"));
        words.addAll(List.of("--lease", "2", "--sweep", "0.5"));
        words.addAll(List.of(flags));
        return words.toArray(String[]::new);
    }

    private static Child run(Workplace place, String runner, String namespace, String... flags) {
        List<String> all = new ArrayList<>(List.of("--namespace", namespace));
        all.addAll(List.of(flags));
        return place.mawashi(
                environment(place, runner, namespace), words(runner, all.toArray(String[]::new)));
    }

    private static void ruby(Workplace place, String namespace, String code) {
        Child ruby =
                place.start(
                        "client",
                        List.of("ruby", "-r" + APP, "-e", code),
                        environment(place, "mri", namespace));
        assertThat(ruby.awaitExit()).as(ruby::log).isZero();
    }

    private static void nothingIsElsewhere(Workplace place) {
        RedisAddress redis = RedisAddress.parse(place.redisUrl());
        try (RedisConnection admin = new RedisConnection(redis, "admin", Child.LIMIT)) {
            assertThat(GuideAcl.refused(admin)).isEmpty();
        }
        assertThat(place.strings("KEYS", "*"))
                .map(Workplace::text)
                .allMatch(key -> key.startsWith("myapp:") || key.startsWith("other:"));
    }
}
