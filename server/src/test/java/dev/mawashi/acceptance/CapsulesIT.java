package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A capsule of one slot never runs two jobs at once in a server, whatever runs them, and capsules
/// share processes.
@Tag("stack")
final class CapsulesIT {
    private static final String APP = Programs.SCRIPTS.resolve("capsules.rb").toString();
    private static final List<String> ALONE = List.of("serial", "single");

    @TempDir Path folder;

    /// @param more lines of `config/mawashi.yml`
    private Child run(Workplace place, String more, String... flags) throws IOException {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 0.5\n");
        StringBuilder file = new StringBuilder(more);
        List<String> arguments =
                new ArrayList<>(List.of("run", "-r", APP, "-C", config.toString(), "--lease", "2"));
        arguments.addAll(List.of("--sweep", "0.5", "-q", "default"));
        if (!place.hasSidekiq(7)) {
            file.append("\nqueues:");
            for (String name : ALONE) {
                file.append("\n  ").append(name).append(": { concurrency: 1 }");
                arguments.addAll(List.of("-q", name));
            }
        }
        Files.writeString(folder.resolve("mawashi.yml"), file);
        arguments.addAll(List.of(flags));
        return place.mawashi(Workplace.NO_GEMS, arguments.toArray(String[]::new))
                .awaitLog("working on");
    }

    private static void push(Workplace place, String queue, int count) {
        List<byte[]> payloads =
                IntStream.range(0, count)
                        .mapToObj(i ->
                                """
                                {"class":"AloneJob","args":["%s",0.002],"jid":"%s%d","retry":5,\
                                "created_at":1795225660717}\
                                """
                                        .formatted(queue, queue, i)
                                        .getBytes(UTF_8))
                        .toList();
        place.push(queue, payloads);
    }

    private static long came(Workplace place, String step, String name) {
        return place.ledger().byJid(step).keySet().stream()
                .filter(jid -> jid.startsWith(name))
                .count();
    }

    private static void awaitAll(Workplace place, int jobs) {
        place.await(
                "all ran",
                () -> place.ledger().byJid("end").size() + place.number("ZCARD", "retry") == jobs);
    }

    private static void assertNoneRanBesideAnother(Workplace place) {
        assertThat(place.ledger().lines("beside"))
                .extracting(Ledger.Line::subject)
                .filteredOn(jid -> ALONE.stream().anyMatch(jid::startsWith))
                .isEmpty();
    }

    private static Set<Long> pids(Workplace place) {
        return place.ledger().lines("start").stream()
                .map(Ledger.Line::pid)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void capsulesShareChildrenAndHoldWhenOneIsKilledAndAtAStop() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "", "--runner", "mri", "--processes", "2", "-c", "2");
            ALONE.forEach(queue -> push(place, queue, 150));
            push(place, "default", 150);
            for (int kills = 1; kills <= 2; kills++) {
                killWhatRuns(place, "serial", kills);
            }
            awaitAll(place, 450);

            assertNoneRanBesideAnother(place);
            // Two at once, and one more for each that was killed.
            assertThat(place.ledger().lines("startup")).hasSize(4);
            assertThat(pids(place)).hasSizeBetween(2, 4).doesNotContain(server.pid());
            assertThat(server.log())
                    .contains("with 4 slots (capsule default)", "runner mri, 2 processes");
            assertEventsAreToldOncePerChild(place, server);
        }
    }

    /// @param kills how many were killed then
    private static void killWhatRuns(Workplace place, String name, int kills) {
        place.await("some ran", () -> came(place, "start", name) >= 30L * kills);
        place.await("it lives", () -> living(place, name).isPresent());
        living(place, name).ifPresent(ProcessHandle::destroyForcibly);
        place.await("another comes", () -> place.ledger().lines("startup").size() >= 2 + kills);
    }

    /// The child in which such jobs run; those that ran them before are gone.
    private static Optional<ProcessHandle> living(Workplace place, String name) {
        return place.ledger().lines("start").stream()
                .filter(line -> line.subject().startsWith(name))
                .flatMap(line -> ProcessHandle.of(line.pid()).stream())
                .findFirst();
    }

    private static void assertEventsAreToldOncePerChild(Workplace place, Child server) {
        server.signal("TSTP");
        place.await("they hear it", () -> place.ledger().lines("quiet").size() >= 2);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();
        assertThat(place.ledger().lines("quiet")).hasSize(2);
        assertThat(place.ledger().lines("shutdown")).hasSize(2);
    }

    /// Long: `capsulesShareChildrenAndHoldWhenOneIsKilledAndAtAStop` is the quick one.
    @Tag("long")
    @Test
    void theyHoldWhileChildrenAreReplaced() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            String file = "recycle_jobs: 40";
            Child server = run(place, file, "--runner", "mri", "--processes", "2", "-c", "1");
            ALONE.forEach(queue -> push(place, queue, 150));
            awaitAll(place, 300);

            assertNoneRanBesideAnother(place);
            assertThat(server.log()).contains("is replaced: it has run");
        }
    }

    @Test
    void aCapsuleHoldsWhereEachJobIsForked() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "", "--runner", "fork", "-c", "2");
            ALONE.forEach(queue -> push(place, queue, 30));
            push(place, "default", 30);
            awaitAll(place, 90);

            assertNoneRanBesideAnother(place);
            assertThat(pids(place)).hasSize(90).doesNotContain(server.pid());
        }
    }

    @Test
    void aServerOfOneSlotHasOneProcess() throws IOException {
        try (Workplace place = new Workplace(folder)) {
            Child server = run(place, "runner: mri", "-c", "1");
            push(place, "default", 50);
            awaitAll(place, 50);

            assertThat(place.ledger().lines("beside")).isEmpty();
            assertThat(server.log()).contains("default with 1 slot (capsule default)");
        }
    }
}
