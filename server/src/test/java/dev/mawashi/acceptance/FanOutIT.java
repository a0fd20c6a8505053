package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that enqueue jobs with the app's sidekiq gem: their jobs go through the server, and are the
/// same as those that the gem would have sent itself.
final class FanOutIT {
    private static final Path APP = Path.of("src/test/ruby/acceptance/fan_out.rb").toAbsolutePath();
    private static final int SPREADS = 5;

    @TempDir Path folder;

    private static Child run(Workplace place, String flags, Map<String, String> environment) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP.toString()));
        words.addAll(List.of(flags.split(" ", -1)));
        return place.mawashi(environment, words.toArray(String[]::new)).awaitLog("working on");
    }

    private static List<String> names(Workplace place) {
        return place.ledger().lines("leaf").stream().map(Ledger.Line::subject).toList();
    }

    @EachOf({
        "mri,--runner mri --processes 2 -c 3",
        "jruby,--runner jruby -c 5",
        "fork,--runner fork -c 2"
    })
    void whatJobsEnqueueIsTheGemsAndGoesThroughTheServer(String runner, String flags) {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, flags, Workplace.DEBIAN_GEMS);
            place.pushJobs(SPREADS, "spread", "SpreadJob", "[\"one\"]");
            place.await("all leaves have run", () -> names(place).size() == SPREADS * 12);

            assertThat(names(place)).doesNotContain("stopped", "lost");
            assertThat(place.ledger().lines("jids"))
                    .hasSize(SPREADS)
                    .allMatch(line -> line.subject().equals("10"));
            place.await("the rest is stored", () -> place.number("LLEN", "queue:kept") == SPREADS);
            assertThat(place.number("ZCARD", "schedule")).isEqualTo(SPREADS);
            String kept =
                    Workplace.text(place.strings("LRANGE", "queue:kept", "0", "0").getFirst());
            assertThat(kept)
                    .startsWith("{\"retry\":true,\"queue\":\"kept\",\"args\":[\"one-kept\"],")
                    .contains("\"class\":\"LeafJob\"", "\"created_at\":", "\"enqueued_at\":")
                    .contains("\"marked\":true");
            String later = Workplace.text(place.strings("ZRANGE", "schedule", "0", "0").getFirst());
            assertThat(later).contains("\"marked\":true").doesNotContain("\"at\":", "enqueued_at");
            assertThat(place.number("LLEN", "queue:startup")).isPositive();
            // The server's connections are not named at once, the gem's never.
            place.await(
                    runner + " does not connect to Redis itself",
                    () -> unnamedClients(place).isEmpty());

            place.bytes("SET", "queue:no_list", "text");
            place.pushJobs(1, "refused", "RefusedJob", "[]");
            place.await("it is told", () -> place.ledger().lines("refused").size() == 1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
        }
    }

    /// Clients of Redis but for this test's and the server's own, which have names. The gem keeps
    /// its connections.
    private static List<String> unnamedClients(Workplace place) {
        String all = Workplace.text(place.bytes("CLIENT", "LIST"));
        return all.lines()
                .filter(line -> line.contains(" name= "))
                .filter(line -> !line.contains("cmd=client"))
                .toList();
    }

    @Test
    void anotherRedisAndAForkOfTheAppsSendThemselves() throws Exception {
        try (Workplace place = new Workplace(folder)) {
            String other = place.redisUrl().replaceFirst("/0$", "") + "/3";
            Child server = run(place, "--runner mri --processes 1 -c 2", Map.of());
            place.pushJobs(1, "forking", "ForkingJob", "[]");
            place.await("its leaf has run", () -> names(place).equals(List.of("forked")));
            place.pushJobs(1, "elsewhere", "ElsewhereJob", "[\"" + other + "\"]");
            place.await("it has run", () -> place.ledger().lines("elsewhere").size() == 1);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();

            String flags = "--runner mri --processes 1 -c 2 --redis " + place.redisUrl();
            Child configured = run(place, flags, Map.of("OTHER_REDIS", other));
            place.pushJobs(1, "spread", "SpreadJob", "[\"other\"]");
            place.await("it has run", () -> place.ledger().lines("jids").size() == 1);
            configured.signal("TERM");
            assertThat(configured.awaitExit()).as(configured::log).isZero();
            assertThat(names(place)).containsExactly("forked");
            place.bytes("SELECT", "3");
            assertThat(place.number("LLEN", "queue:default")).isEqualTo(13);
        }
    }
}
