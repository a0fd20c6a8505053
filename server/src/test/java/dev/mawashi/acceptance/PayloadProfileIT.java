package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.EachOf;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs whose payload asks for a profile, with the app's own Sidekiq: from 8.0 on its profiler
/// takes and stores it. Vernier itself is not on these machines: a file stands in for its one
/// method.
@Tag("stack")
final class PayloadProfileIT {
    private static final Map<String, String> VERNIER =
            Map.of("RUBYLIB", Programs.SCRIPTS.resolve("profiler").toString());

    @TempDir Path folder;

    private static Child start(Workplace place, String runner, Map<String, String> environment) {
        Child server = place.run(environment, "--runner", runner, "-c", "1");
        place.push(
                "default",
                List.of(
                        ("{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"j1\",\"profile\":\"mike\","
                                        + "\"profiler_options\":{\"mode\":\"cpu\"}}")
                                .getBytes(UTF_8)));
        place.await("it ran", () -> place.ledger().count("end", "PlainJob") == 1);
        return server;
    }

    @EachOf({"mri", "fork"})
    void itIsStoredWhereSidekiqsPageLooks(String runner) {
        try (Workplace place = new Workplace(folder)) {
            Child server = start(place, runner, VERNIER);
            if (place.hasSidekiq(8)) {
                place.await("it is stored", () -> place.number("ZCARD", "profiles") == 1);
                assertThat(place.strings("ZRANGE", "profiles", "0", "-1"))
                        .containsExactly("mike-j1".getBytes(UTF_8));
                assertThat(Workplace.text(place.bytes("HGET", "mike-j1", "type")))
                        .isEqualTo("PlainJob");
                assertThat(Workplace.text(place.bytes("HGET", "mike-j1", "data"))).contains("cpu");
                assertThat(place.number("TTL", "mike-j1")).isPositive();
            }
            assertEnds(place, server);
            assertThat(server.log()).doesNotContain("no profile of");
            assertThat(place.number("EXISTS", "mike-j1")).isEqualTo(place.hasSidekiq(8) ? 1 : 0);
        }
    }

    @Test
    void withoutVernierTheJobRunsAndALineSaysWhyThereIsNone() {
        try (Workplace place = new Workplace(folder)) {
            Child server = start(place, "mri", Map.of());
            if (place.hasSidekiq(8)) {
                server.awaitLog(
                        "no profile of PlainJob j1: the gem vernier cannot be loaded, add it to");
            }
            assertEnds(place, server);
            assertThat(place.number("EXISTS", "profiles")).isZero();
        }
    }

    private static void assertEnds(Workplace place, Child server) {
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.ledger().count("start", "PlainJob")).isOne();
        assertThat(place.number("ZCARD", "retry")).isZero();
    }
}
