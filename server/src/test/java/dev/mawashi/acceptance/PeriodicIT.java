package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import dev.mawashi.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that an app declares with Sidekiq Enterprise's `config.periodic`, without that gem.
final class PeriodicIT {
    private static final String APP = Programs.SCRIPTS.resolve("periodic_app.rb").toString();

    @TempDir Path folder;

    @EachOf({"mri", "jruby", "fork"})
    void eachTickComesOnceWhileServersAreKilled(String runner) throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child first = run(place, runner, APP, "");
            place.await("jobs run", () -> place.ledger().count("end", "PlainJob") > 0);
            String pulse = name(place, "PlainJob");
            Child second = run(place, runner, APP, "");
            second.awaitLog("working on");
            first.kill();
            Set<String> before = Set.copyOf(ticks(place, pulse));
            place.await(
                    "the other goes on",
                    () ->
                            ticks(place, pulse).stream()
                                            .filter(one -> !before.contains(one))
                                            .count()
                                    >= 3);

            JsonObject job =
                    JsonObject.of(place.strings("LRANGE", "queue:own", "0", "0").getFirst());
            assertThat(List.of("class", "retry", "queue", "tags", "args"))
                    .extracting(job::raw)
                    .containsExactly("\"Nightly\"", "2", "\"own\"", "[\"a\"]", "[1]");
            actOn(place);
            assertThat(second.log())
                    .containsOnlyOnce(
                            "the options of class NoSuchJob are not known: NameError: uninitialized"
                                    + " constant NoSuchJob");
            second.signal("TERM");
            assertThat(second.awaitExit()).as(second::log).isZero();
            assertThat(ticks(place, pulse)).doesNotHaveDuplicates();
            assertThat(place.number("ZCARD", "retry")).isZero();
        }
    }

    private static void actOn(Workplace place) {
        String list = cron(place);
        assertThat(list)
                .contains("\"periodic:PlainJob:", "\"Asia/Tokyo\"", "\"America/Chicago\"")
                .contains("\"missed\":\"skip\"", "\"config.periodic, ");
        String nightly =
                list.lines()
                        .filter(line -> line.contains("Asia/Tokyo"))
                        .map(line -> JsonObject.of(line).text("name"))
                        .findFirst()
                        .orElseThrow();
        cron(place, "run", nightly);
        assertThat(
                        JsonObject.of(place.strings("LRANGE", "queue:low", "0", "0").getFirst())
                                .raw("retry"))
                .isEqualTo("3");
        String own = name(place, "Nightly");
        cron(place, "pause", own);
        place.await("it is paused", () -> outcome(place, own).equals("paused"));
        cron(place, "resume", own);
        place.await("it goes on", () -> outcome(place, own).equals("enqueued"));
    }

    @EachOf({"mri", "jruby"})
    void aBadEntryEndsTheStart(String runner) throws IOException {
        try (Workplace place = new Workplace(folder)) {
            refused(
                    run(place, runner, APP, "mgr.register('0 0 31 2 *', 'Nightly')"),
                    "more.rb:1: config.periodic: \"Nightly\" at \"0 0 31 2 *\": no month of 2 has a"
                            + " day 31");
        }
    }

    /// Long: two starts; `aBadEntryEndsTheStart` is the quick one, and the shipped API's own tests
    /// have each reason.
    @Tag("long")
    @Test
    void itsReasonIsNamed() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            refused(
                    run(place, "mri", APP, "mgr.register('@daily', 'Nightly', tz: 'Mars/North')"),
                    "more.rb:1: config.periodic: \"Nightly\" at \"@daily\": zone \"Mars/North\" is"
                            + " unknown");
            refused(
                    run(place, "mri", APP, "mgr.register('@daily', 'Nightly', args: 1)"),
                    "more.rb:1: config.periodic: \"Nightly\" at \"@daily\": args are 1, must be an"
                            + " Array");
        }
    }

    private static void refused(Child server, String reason) {
        assertThat(server.awaitExit()).as(server::log).isNotZero();
        assertThat(server.log()).contains(reason);
    }

    /// Nothing is defined outside the server.
    @Test
    void aPlainSidekiqRefusesTheAppAsBefore() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child sidekiq = place.sidekiqFor(Path.of(APP));
            assertThat(sidekiq.awaitExit()).isNotZero();
            assertThat(sidekiq.log()).containsPattern("undefined method .periodic'");
        }
    }

    /// Long: two restarts; `CronOptionsIT` has schedules of new code, `aBadEntryEndsTheStart` a bad
    /// one.
    @Tag("long")
    @Test
    @Tag("stack")
    void newCodeBringsItsOwnAndABadOneIsNotTaken() throws IOException {
        Path app = folder.resolve("app.rb");
        write(app, "* * * * * *");
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "mri", app.toString(), "");
            place.await("jobs", () -> place.number("LLEN", "queue:code") > 0);
            write(app, "61 * * * *");
            assertThat(Releases.restart(place, 1).log())
                    .contains("config.periodic: \"PlainJob\" at \"61 * * * *\": ");
            write(app, "@yearly");
            assertThat(Releases.restart(place, 0).log()).contains("is ready");
            place.await("its own", () -> cron(place).contains("@yearly"));
            assertThat(server.log()).doesNotContain("ERROR");
        }
    }

    private static void write(Path app, String line) throws IOException {
        Files.writeString(
                app,
                """
                require "%s"
                Sidekiq.configure_server do |config|
                  config.periodic { |mgr| mgr.register("%s", "PlainJob", queue: "code") }
                end
                """
                        .formatted(Workplace.APP, line));
    }

    private Child run(Workplace place, String runner, String app, String more) throws IOException {
        Path settings =
                Files.writeString(
                        folder.resolve("sidekiq.yml"), ":queues: [default]\n:concurrency: 1\n");
        List<String> all =
                new ArrayList<>(List.of("run", "-r", app, "--lease", "2", "--sweep", "0.5"));
        all.addAll(List.of("--runner", runner, "-C", settings.toString()));
        return place.mawashi(Map.of("PERIODIC", more), all.toArray(String[]::new));
    }

    private static String cron(Workplace place, String... words) {
        List<String> all = new ArrayList<>(List.of("cron"));
        all.addAll(List.of(words));
        if (words.length == 0) {
            all.add("--json");
        }
        Child command = place.mawashi(Map.of(), all.toArray(String[]::new));
        assertThat(command.awaitExit()).as(command::log).isZero();
        return command.log();
    }

    /// The name of the schedule of each second with this class.
    private static String name(Workplace place, String jobClass) {
        return cron(place)
                .lines()
                .map(JsonObject::of)
                .filter(one -> one.text("class").equals(jobClass))
                .filter(one -> one.text("cron").equals("* * * * * *"))
                .map(one -> one.text("name"))
                .findFirst()
                .orElseThrow();
    }

    private static String outcome(Workplace place, String name) {
        return JsonObject.of(place.strings("LRANGE", "mw:cron:runs:" + name, "0", "0").getFirst())
                .text("outcome");
    }

    private static List<String> ticks(Workplace place, String name) {
        return place.strings("LRANGE", "mw:cron:runs:" + name, "0", "-1").stream()
                .map(run -> JsonObject.of(run).text("tick"))
                .toList();
    }
}
