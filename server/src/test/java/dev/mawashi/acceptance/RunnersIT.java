package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `config/mawashi.yml` in a real process: several runners in one server, chosen by queue and by
/// job class.
final class RunnersIT {
    private static final String CONFIG =
            """
            runner: jruby
            threads: virtual
            queues:
              low: { runner: mri, processes: 2, concurrency: 2 }
            runners:
              mri: { processes: 1, concurrency: 2 }
            """;

    @TempDir Path folder;

    private Child run(Workplace place) throws IOException {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), ":timeout: 0.5\n");
        Files.writeString(folder.resolve("mawashi.yml"), CONFIG);
        String[] flags = {"-C", config.toString(), "-q", "default", "-q", "low", "-c", "3"};
        return place.run(Workplace.NO_GEMS, flags).awaitLog("working on");
    }

    /// @param name of the jobs, in their jids too
    /// @param extra fields of the payload
    private static void push(
            Workplace place, String queue, String name, int count, String work, String extra) {
        List<byte[]> payloads =
                IntStream.range(0, count)
                        .mapToObj(i ->
                                "{%s,\"jid\":\"%s%d\",\"retry\":true,\"created_at\":1795225660717%s}"
                                        .formatted(work, name, i, extra)
                                        .getBytes(UTF_8))
                        .toList();
        place.push(queue, payloads);
    }

    private static Set<Long> pids(Workplace place, String name) {
        return place.ledger().lines("end").stream()
                .filter(line -> line.subject().startsWith(name))
                .map(Ledger.Line::pid)
                .collect(Collectors.toSet());
    }

    private static long started(Workplace place, String name) {
        return place.ledger().byJid("start").keySet().stream()
                .filter(jid -> jid.startsWith(name))
                .count();
    }

    @Test
    void queuesAndJobClassesChooseTheirRunner() throws IOException {
        String plain = "\"class\":\"PlainJob\",\"args\":[1]";
        try (Workplace place = new Workplace(folder)) {
            push(place, "default", "mine", 200, plain, "");
            push(place, "low", "low", 200, plain, "");
            push(place, "default", "named", 200, plain, ",\"runner\":\"mri\"");
            push(
                    place,
                    "default",
                    "arg",
                    1,
                    "\"class\":\"PlainJob\",\"args\":[{\"runner\":\"mri\"}]",
                    "");
            push(place, "default", "odd", 2, plain, ",\"runner\":\"jvm\"");
            Child server = run(place);
            place.await("all ran", () -> place.ledger().byJid("end").size() == 603);

            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
            assertThat(pids(place, "mine")).containsExactly(server.pid());
            assertThat(pids(place, "arg")).containsExactly(server.pid());
            assertThat(pids(place, "odd")).containsExactly(server.pid());
            assertThat(pids(place, "low")).isNotEmpty().doesNotContain(server.pid());
            assertThat(pids(place, "named")).isNotEmpty().doesNotContain(server.pid());
            server.awaitLog(
                    "low with 4 slots (capsule default/low, runner mri, 2 processes)",
                    "default with 3 slots (capsule default, runner jruby on virtual threads)",
                    "job classes that name it with 2 slots (capsule runner-mri, runner mri,"
                            + " one process)");
            assertThat(server.log())
                    .containsOnlyOnce("names the runner \"jvm\", which has no entry");

            assertAStopGivesBackWhatRunsInTheNamedRunner(place, server);
        }
    }

    private static void assertAStopGivesBackWhatRunsInTheNamedRunner(
            Workplace place, Child server) {
        String held = "\"class\":\"GateJob\",\"args\":[\"never\"]";
        push(place, "default", "busy", 40, held, ",\"runner\":\"mri\"");
        place.await("two run", () -> started(place, "busy") == 2);
        place.await("it has no more than it runs", () -> place.inHandsOf(server).size() <= 4);
        server.signal("TERM");
        assertThat(server.awaitExit()).as(server::log).isZero();

        assertThat(place.queued()).hasSize(40);
        assertThat(place.queued().subList(0, 2))
                .containsExactlyInAnyOrderElementsOf(
                        place.ledger().byJid("start").keySet().stream()
                                .filter(jid -> jid.startsWith("busy"))
                                .toList());
        assertThat(place.inHandsOf(server)).isEmpty();
    }

    /// Long: two servers of all runners.
    @Tag("long")
    @Test
    void jobsOfAllRunnersComeBackAfterAKill() throws IOException {
        String held = "\"class\":\"GateJob\",\"args\":[\"gate\"]";
        try (Workplace place = new Workplace(folder)) {
            Child killed = run(place);
            push(place, "default", "mine", 5, held, "");
            push(place, "low", "low", 6, held, "");
            place.await("these run", () -> started(place, "") == 7);
            push(place, "default", "named", 5, held, ",\"runner\":\"mri\"");
            push(place, "low", "alsonamed", 5, held, ",\"runner\":\"mri\"");
            Set<Long> all = place.ledger().byPid("start").keySet();
            killed.signal("KILL");
            place.await(
                    "children are gone",
                    () -> all.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
            place.open("gate");
            run(place);

            place.await("all ran", () -> place.ledger().byJid("end").size() == 21);
            assertThat(place.ledger().byJid("end").values()).containsOnly(1L);
        }
    }

    @Test
    void aFileThatCannotBeFollowedIsOneLine() throws IOException {
        Path config = Files.writeString(folder.resolve("sidekiq.yml"), "");
        Files.writeString(folder.resolve("mawashi.yml"), "queues:\n  low: { proceses: 2 }\n");
        try (Workplace place = new Workplace(folder)) {
            Child server = place.run(Map.of(), "-C", config.toString());

            assertThat(server.awaitExit()).as(server::log).isEqualTo(2);
            assertThat(server.logLines())
                    .singleElement()
                    .asString()
                    .contains(
                            "mawashi.yml line 2: unknown key queues.low.proceses: did you mean processes?");
        }
    }
}
