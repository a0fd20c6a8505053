package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two capsules of one process that work the same queue, one of them a further queue too.
///
/// Both hold their jobs under the process's one name, so what each gives back, and what recovery
/// finds, must be everything and nothing twice.
@Tag("stack")
final class SharedQueueIT {
    private static final String CONFIG =
            """
            :concurrency: 2
            :timeout: 0.5
            :queues: [default]
            :capsules:
              second:
                concurrency: 3
                queues: [low, default]
            """;
    private static final int SLOTS = 5;
    private static final Pattern OF_DEFAULT = Pattern.compile("mawashi-slot-\\d+ has run GateJob");
    private static final Pattern OF_SECOND =
            Pattern.compile("mawashi-slot-second-\\d+ has run GateJob");

    @TempDir Path folder;

    @Test
    void eachJobRunsOnceEachCapsuleKeepsToItsSlotsAndAStopGivesAllBack() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = serve(place);
            place.push("low", payloads("low", 200));
            place.pushJobs(1_000, "plain", "PlainJob", "[]");
            Ledger ledger = place.ledger();
            place.await("all jobs run", () -> ledger.byJid("end").size() == 1_200);
            assertThat(ledger.byJid("start").values()).containsOnly(1L);

            place.pushJobs(40, "held", "GateJob", "[\"gate\"]");
            place.await("all slots run", () -> ledger.count("start", "GateJob") == SLOTS);
            server.signal("TTIN");
            server.awaitLog("TTIN: running now: 5");
            place.await("all are told of", () -> told(server, Pattern.compile("GateJob")) == SLOTS);
            assertThat(told(server, OF_DEFAULT)).isEqualTo(2);
            assertThat(told(server, OF_SECOND)).isEqualTo(3);

            server.signal("TSTP");
            place.await("the rest is back", () -> place.queued().size() == 40 - SLOTS);
            server.signal("TERM");
            assertThat(server.awaitExit()).as(server::log).isZero();
            assertThat(ledger.count("start", "GateJob")).isEqualTo(SLOTS);
            Set<String> cut = ledger.byJid("cut").keySet();
            assertThat(place.queued()).hasSize(40).doesNotHaveDuplicates();
            assertThat(place.queued().subList(0, SLOTS)).containsExactlyInAnyOrderElementsOf(cut);
            assertThat(place.strings("KEYS", "mw:{*}:*")).isEmpty();
        }
    }

    /// Long: four servers one after the other; RunnersIT has the kill.
    @Tag("long")
    @Test
    void afterAKillTheJobsOfBothComeBackInTheirOrderAndRunOnceMore() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child killed = serve(place);
            List<String> pushed = new ArrayList<>();
            for (int i = 1; i <= SLOTS; i++) {
                // One by one, so that the order in which the two capsules claim is known.
                long running = i;
                pushed.add("slot" + i + "0");
                place.pushJobs(1, "slot" + i, "GateJob", "[\"gate\"]");
                place.await("it runs", () -> place.ledger().lines("start").size() == running);
            }
            place.pushJobs(40, "behind", "GateJob", "[\"gate\"]");
            killed.kill();
            Set<String> inHands = place.inHandsOf(killed);
            assertThat(inHands).containsAll(pushed);

            Child sweeper = place.runOnMri(Workplace.NO_GEMS, "-q", "other");
            place.await("all jobs are back", () -> place.queued().size() == SLOTS + 40);
            assertThat(place.queued()).startsWith(pushed.toArray(String[]::new));
            sweeper.signal("TERM");
            assertThat(sweeper.awaitExit()).as(sweeper::log).isZero();

            place.open("gate");
            Child next = serve(place);
            place.await("all ran", () -> place.ledger().byJid("end").size() == SLOTS + 40);
            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(place.ledger().byJid("start"))
                    .allSatisfy((jid, starts) ->
                            assertThat(starts).isEqualTo(pushed.contains(jid) ? 2 : 1));
            next.signal("TERM");
            assertThat(next.awaitExit()).as(next::log).isZero();
        }
    }

    private Child serve(Workplace place) throws IOException {
        Path config = Files.writeString(folder.resolve("shared.yml"), CONFIG);
        Child server = place.run(Workplace.NO_GEMS, "-C", config.toString());
        server.awaitLog(
                "working on default with 2 slots (capsule default); low, default with 3 slots"
                        + " (capsule second)");
        return server;
    }

    private static List<byte[]> payloads(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        "{\"class\":\"PlainJob\",\"args\":[],\"jid\":\"%s%%d\"}".formatted(prefix)
                                ::formatted)
                .map(payload -> payload.getBytes(UTF_8))
                .toList();
    }

    private static long told(Child server, Pattern pattern) {
        return server.logLines().stream().filter(line -> pattern.matcher(line).find()).count();
    }
}
