package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Schedules of `config/mawashi.yml` in real servers.
final class CronIT {
    private static final String SCHEDULES =
            """
            cron:
              pulse: { cron: "* * * * * *", class: PlainJob, args: [pulse], missed: all }
              none: { cron: "* * * * * *", class: NoSuchJob, queue: default }
            """;

    @TempDir Path folder;

    /// Long: two servers; `PeriodicIT` has the same with schedules of the app's.
    @Tag("long")
    @EachOf({"mri", "jruby"})
    void eachTickRunsOnceWhileServersAreKilled(String runner) throws IOException {
        String config = config(SCHEDULES);
        try (Workplace place = new Workplace(folder)) {
            Child first = place.run(Map.of(), "-C", config, "--runner", runner);
            place.await("it runs", () -> runs(place).size() >= 2);
            Child second = place.run(Map.of(), "-C", config, "--runner", runner);
            second.awaitLog("working on");
            first.kill();
            // Of older ones no records are kept, however long the second took to start.
            Set<String> before = Set.copyOf(runs(place));
            place.await(
                    "the other goes on",
                    () -> runs(place).stream().filter(run -> !before.contains(run)).count() >= 3);
            place.await("jobs run", () -> place.ledger().count("end", "PlainJob") > 0);
            place.await("jobs fail", () -> place.number("ZCARD", "retry") > 0);
            second.signal("TERM");
            assertThat(second.awaitExit()).isZero();

            List<String> ticks =
                    runs(place).stream()
                            .map(run -> run.replaceAll(".*\"tick\":\"([^\"]+)\".*", "$1"))
                            .toList();
            assertThat(ticks).doesNotHaveDuplicates();
        }
    }

    @EachOf({"mri", "jruby"})
    void aReloadTakesOverTheWholeSectionOrNothing(String runner) throws IOException {
        String config = config("");
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Workplace.NO_GEMS, "-C", config, "--runner", runner);
            server.awaitLog("working on");
            place.await("it is seen", () -> place.number("SCARD", "processes") == 1);
            config(SCHEDULES);
            assertThat(reload(place, 0))
                    .contains(": cron: new: pulse, none\n")
                    .doesNotContain("nothing has changed");
            place.await("it runs", () -> runs(place).size() >= 2);

            config(
                    SCHEDULES.replace("* * * * * *", "0 0 1 1 *")
                            + "  bad: { cron: 0 0 31 2 *, class: PlainJob }\n");
            assertThat(reload(place, 1))
                    .startsWith("mawashi: not reloaded: ")
                    .contains("mawashi.yml line 4: cron.bad no month of 2 has a day 31")
                    .hasLineCount(1);
            String last = runs(place).getFirst();
            place.await("the old one goes on", () -> !runs(place).getFirst().equals(last));

            config(
                    "cron:\n  pulse: { cron: '0 0 1 1 *', class: PlainJob }\n"
                            + "  more: { cron: '@yearly', class: PlainJob }\n");
            assertThat(reload(place, 0))
                    .contains(": cron: new: more\n", ": cron: changed: pulse\n")
                    .contains(": cron: gone: none\n");
            place.await("the new ones are shown", () -> shown(place).equals("more\npulse\n"));
            assertThat(reload(place, 0)).contains("nothing has changed");
            assertThat(server.log()).contains("reload: cron: new: more; cron: changed: pulse; ");
        }
    }

    private static String reload(Workplace place, int exit) {
        Child reload = place.mawashi(Map.of(), "reload");
        assertThat(reload.awaitExit()).as(reload::log).isEqualTo(exit);
        return reload.log();
    }

    /// The names that `mawashi cron` lists.
    private static String shown(Workplace place) {
        Child list = place.mawashi(Map.of(), "cron", "--json");
        assertThat(list.awaitExit()).isZero();
        return list.log().replaceAll("(?m)^.*?\"name\":\"([^\"]+)\".*$", "$1");
    }

    /// Writes both files, and returns the path of the app's.
    private String config(String schedules) throws IOException {
        Files.writeString(folder.resolve("mawashi.yml"), schedules);
        return Files.writeString(
                        folder.resolve("sidekiq.yml"), ":queues: [default]\n:concurrency: 2\n")
                .toString();
    }

    private static List<String> runs(Workplace place) {
        return place.strings("LRANGE", "mw:cron:runs:pulse", "0", "-1").stream()
                .map(Workplace::text)
                .toList();
    }

    @Test
    void aBadLineIsRefusedAtTheStart() throws IOException {
        String config = config("cron:\n  never: { cron: 0 0 31 2 *, class: PlainJob }\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Map.of(), "-C", config, "--runner", "jruby");
            server.awaitLog("mawashi.yml line 2: cron.never no month of 2 has a day 31");
            assertThat(server.awaitExit()).isEqualTo(2);
        }
    }
}
