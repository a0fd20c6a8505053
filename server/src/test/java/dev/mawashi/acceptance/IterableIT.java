package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs done in steps: a stop ends them between two steps, the next server goes on there, be its
/// runner the same or not, and no step is done twice or left out.
@Tag("stack")
final class IterableIT {
    private static final String APP =
            Path.of(Workplace.APP).resolveSibling("iterable.rb").toString();
    private static final List<String> JRUBY = List.of("--runner", "jruby", "-c", "3");
    private static final List<String> MRI =
            List.of("--runner", "mri", "--processes", "1", "-c", "3");
    private static final List<String> JIDS = List.of("steps0", "steps1", "steps2");
    private static final int STEPS = 30;

    @TempDir Path folder;

    /// Long: three servers one after the other, as with the gem.
    @Tag("long")
    @Test
    void jobsOfTheShippedApiGoOnWhereTheyWere() throws IOException {
        // An empty bundle hides the machine's sidekiq gem from MRI; JRuby sees none.
        Path gemfile = Files.createFile(folder.resolve("Gemfile"));
        Map<String, String> none = Map.of("BUNDLE_GEMFILE", gemfile.toString());
        goesOn(none, none, "the API that Mawashi ships");
    }

    @Test
    void jobsThatRaiseInterruptedUnderASidekiqGemGoOnWhereTheyWere() {
        // MRI finds its gems by itself, those in C among them.
        goesOn(Workplace.DEBIAN_GEMS, Map.of(), "the app's sidekiq gem");
    }

    private void goesOn(Map<String, String> ofJruby, Map<String, String> ofMri, String api) {
        try (Workplace place = new Workplace(folder)) {
            place.pushJobs(JIDS.size(), "steps", "StepsJob", "[" + STEPS + "]");
            Child first = run(place, ofMri, MRI, api);
            stopAt(place, 10, first, "TSTP", 1);
            place.await("all have ended", () -> place.inHandsOf(first).isEmpty());
            first.signal("TERM");
            checkKept(place, first, 11, 1);

            Child second = run(place, ofJruby, JRUBY, api);
            stopAt(place, 20, second, "TERM", 2);
            checkKept(place, second, 21, 2);

            Child third = run(place, ofMri, MRI, api);
            place.await("all are done", () -> place.ledger().byJid("end").size() == JIDS.size());
            third.signal("TERM");
            assertThat(third.awaitExit()).as(third::log).isZero();
            checkDone(place);
        }
    }

    private static Child run(
            Workplace place, Map<String, String> environment, List<String> runner, String api) {
        List<String> arguments = new ArrayList<>(List.of("run", "-r", APP));
        arguments.addAll(runner);
        Child server = place.mawashi(environment, arguments.toArray(String[]::new));
        server.awaitLog("working on");
        assertThat(server.log()).contains(api);
        return server;
    }

    /// Signals the server while each job is in a step, and then lets them end it.
    private static void stopAt(Workplace place, int step, Child server, String signal, int quiets) {
        Ledger ledger = place.ledger();
        place.await(
                "each job is at step " + step,
                () ->
                        JIDS.stream()
                                .allMatch(jid -> ledger.byJid("at").containsKey(jid + "-" + step)));
        server.signal(signal);
        place.await("jobs can know", () -> ledger.lines("quiet").size() == quiets);
        place.open("gate" + step);
    }

    private static void checkKept(Workplace place, Child server, int cursor, int runs) {
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.queued()).containsExactlyInAnyOrderElementsOf(JIDS);
        assertThat(place.strings("KEYS", "mw:{*}:*")).isEmpty();
        for (String jid : JIDS) {
            List<String> kept =
                    place.strings("HMGET", "it-" + jid, "c", "ex").stream()
                            .map(Workplace::text)
                            .toList();
            assertThat(kept).containsExactly("" + cursor, "" + runs);
        }
        assertThat(place.ledger().lines("cut")).isEmpty();
    }

    private static void checkDone(Workplace place) {
        List<String> steps =
                JIDS.stream()
                        .flatMap(
                                jid -> IntStream.range(0, STEPS).mapToObj(step -> jid + "-" + step))
                        .toList();
        assertThat(place.ledger().byJid("step")).containsOnlyKeys(steps);
        assertThat(place.ledger().byJid("step").values()).containsOnly(1L);
        assertThat(place.ledger().byJid("resumed").values()).containsOnly(2L);
        assertThat(place.queued()).isEmpty();
        assertThat(place.strings("KEYS", "it-*")).isEmpty();
        assertThat(place.number("ZCARD", "retry")).isZero();
        assertThat(place.integer("GET", "stat:failed")).isZero();
    }
}
